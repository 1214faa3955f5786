import { type PlaywrightTestArgs, type PlaywrightTestOptions, type PlaywrightWorkerArgs, type PlaywrightWorkerOptions, type TestType } from '@playwright/test';
import type { GasolineFixture, GasolineOptions, GasolineServer } from './types';
export { expect } from '@playwright/test';
export type * from './types';
type OfTest = Pick<GasolineOptions, 'gasolineCaptureMode' | 'gasolineAttachOnFailure'> & {
    gasoline: GasolineFixture;
};
type OfWorker = Pick<GasolineOptions, 'gasolinePort' | 'gasolineAutoStart' | 'gasolineBinary'> & {
    gasolineServer: GasolineServer;
};
export declare const test: TestType<PlaywrightTestArgs & PlaywrightTestOptions & OfTest, PlaywrightWorkerArgs & PlaywrightWorkerOptions & OfWorker>;
