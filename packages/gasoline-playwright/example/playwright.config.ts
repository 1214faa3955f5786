import {defineConfig} from '@playwright/test';
import type {GasolineOptions} from 'gasoline-playwright';

export default defineConfig<GasolineOptions>({
  testDir: 'tests',
  reporter: [['list'], ['gasoline-playwright/reporter']],
  use: {
    baseURL: process.env.SHOP_URL ?? 'http://127.0.0.1:7970',
    launchOptions: {executablePath: process.env.GASOLINE_BROWSER},
    gasolineCaptureMode: 'all',
  },
});
