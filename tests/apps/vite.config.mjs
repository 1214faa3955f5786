// One configuration for the three apps: the folder that Vite is started in says which.

import {svelte} from '@sveltejs/vite-plugin-svelte';
import react from '@vitejs/plugin-react';
import vue from '@vitejs/plugin-vue';
import {basename} from 'node:path';
import {defineConfig} from 'vite';

const PLUGINS = {
  react,
  vue,
  svelte: () => svelte({configFile: false}),
};

export default defineConfig({
  plugins: [PLUGINS[basename(process.cwd())]()],
  cacheDir: process.env.GASOLINE_APP_CACHE,
  server: {host: '127.0.0.1', fs: {allow: ['..', '../../../node_modules']}, proxy: {'/api': process.env.GASOLINE_APP_API}},
  build: {sourcemap: true, emptyOutDir: true},
});
