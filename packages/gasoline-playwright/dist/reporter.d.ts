import type { FullConfig, Reporter, TestCase, TestResult } from '@playwright/test/reporter';
export interface GasolineReporterOptions {
    /** Where to write the report of failed tests. Default: gasoline-report.txt in the output folder. */
    outputFile?: string;
}
export default class GasolineReporter implements Reporter {
    #private;
    constructor(options?: GasolineReporterOptions);
    printsToStdio(): boolean;
    onBegin(config: FullConfig): void;
    onTestEnd(test: TestCase, result: TestResult): void;
    onEnd(): Promise<void>;
}
