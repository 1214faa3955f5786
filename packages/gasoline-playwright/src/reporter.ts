// The reporter: completes what the fixtures told the server, and says where the report is.

import {spawn} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {join, relative} from 'node:path';

import type {FullConfig, Reporter, TestCase, TestResult} from '@playwright/test/reporter';

import {splitCommand} from './command';
import {quietly} from './quietly';
import {Server, portFromEnvironment} from './server';
import {StatusReporter} from './statusReporter';

const REPORT_PATIENCE_MS = 20_000;

export interface GasolineReporterOptions {
  /** Where to write the report of failed tests. Default: gasoline-report.txt in the output folder. */
  outputFile?: string;
}

export default class GasolineReporter implements Reporter {
  readonly #outputFile: string | undefined;
  #file = 'gasoline-report.txt';
  #binary = 'gasoline';
  #server = new Server(portFromEnvironment());
  #status = new StatusReporter(this.#server);

  constructor(options: GasolineReporterOptions = {}) {
    this.#outputFile = options.outputFile;
  }

  printsToStdio(): boolean {
    return this.#status.printsToStdio();
  }

  onBegin(config: FullConfig): void {
    const [project] = config.projects;
    const port: unknown = project && Reflect.get(project.use, 'gasolinePort');
    const binary: unknown = project && Reflect.get(project.use, 'gasolineBinary');
    if (typeof port === 'number') this.#server = new Server(port);
    if (typeof binary === 'string') this.#binary = binary;
    this.#file = this.#outputFile ?? join(project?.outputDir ?? '', this.#file);
    this.#status = new StatusReporter(this.#server);
    this.#status.onBegin(config);
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    this.#status.onTestEnd(test, result);
  }

  async onEnd(): Promise<void> {
    await this.#status.onEnd();
    process.stdout.write(`\n  Gasoline: ${await this.#conclude()}\n`);
  }

  async #conclude(): Promise<string> {
    const {port} = this.#server;
    if (!(await this.#server.answers())) return `no report, because no server answers on port ${port}. Start one: ${this.#binary} serve --port ${port}`;
    const {failedTests} = this.#status;
    if (failedTests === 0) return 'nothing failed, so there is no report.';
    const written = await quietly(() => this.#writeReport());
    const place = written ? relative(process.cwd(), this.#file) : `${this.#binary} report --port ${port}`;
    return `what the browser saw in ${failedTests === 1 ? '1 test' : `${failedTests} tests`} that failed: ${place}`;
  }

  async #writeReport(): Promise<boolean> {
    mkdirSync(join(this.#file, '..'), {recursive: true});
    const [command, ...args] = splitCommand(this.#binary);
    const asked = [...args, 'report', '--port', String(this.#server.port), '--output', this.#file];
    const report = spawn(command, asked, {stdio: 'ignore', timeout: REPORT_PATIENCE_MS});
    return new Promise((resolve, reject) => {
      report.on('error', reject);
      report.on('exit', code => resolve(code === 0));
    });
  }
}
