// The fixture: what the browser saw, beside every test that failed.

import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname} from 'node:path';

import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestInfo,
  type TestType,
} from '@playwright/test';

import {observeBrowsers} from './browsers';
import {currentTestOf} from './currentTest';
import {HOOKED, OWN_SLOT} from './fixtureSlot';
import {quietly, quietlyNow} from './quietly';
import {Server, portFromEnvironment} from './server';
import {Session, type CaptureMode} from './session';
import {takeSnapshot} from './snapshot';
import {ensureServer} from './startServer';
import {summarize} from './summary';
import type {GasolineFixture, GasolineOptions, GasolineServer} from './types';

export {expect} from '@playwright/test';
export type * from './types';

type OfTest = Pick<GasolineOptions, 'gasolineCaptureMode' | 'gasolineAttachOnFailure'> & {gasoline: GasolineFixture};
type OfWorker = Pick<GasolineOptions, 'gasolinePort' | 'gasolineAutoStart' | 'gasolineBinary'> & {gasolineServer: GasolineServer};

// A worker runs one test at a time, and has one server.
let session: Session | undefined;

// `gasoline run` captures through its hook; then the fixture only reads what that captured.
const hookSession: unknown = Reflect.get(globalThis, HOOKED);

export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & OfTest,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & OfWorker
> = base.extend<OfTest, OfWorker>({
  gasolinePort: [portFromEnvironment(), {option: true, scope: 'worker', box: true}],
  gasolineAutoStart: [true, {option: true, scope: 'worker', box: true}],
  gasolineBinary: ['gasoline', {option: true, scope: 'worker', box: true}],
  gasolineCaptureMode: ['errors-only', {option: true, box: true}],
  gasolineAttachOnFailure: [true, {option: true, box: true}],

  gasolineServer: [
    async ({playwright, gasolinePort, gasolineAutoStart, gasolineBinary}, use, worker) => {
      if (isSession(hookSession)) {
        session = hookSession;
      } else {
        const server = new Server(gasolinePort);
        const capture = new Session({server, mode: modeOf(worker.project.use), script, currentTest: () => currentTestOf(base)});
        if (gasolineAutoStart) await start(server, gasolineBinary, worker.workerIndex);
        quietlyNow(() => observeBrowsers(playwright, playwrightFolder(), capture));
        session = capture;
      }
      await use({port: session.server.port, url: session.server.url});
      await session.settle();
    },
    {auto: true, scope: 'worker', box: true},
  ],

  gasoline: [
    async ({gasolineServer: _server, gasolineCaptureMode, gasolineAttachOnFailure}, use, info) => {
      if (session === undefined) throw new Error('the worker has no session');
      const capture = session;
      const isOwn = capture !== hookSession;
      if (isOwn) capture.mode = gasolineCaptureMode;
      quietlyNow(() => capture.begin(info));
      const id = capture.idOf(info);
      await use(fixtureFor(capture, id));
      if (info.status !== info.expectedStatus && gasolineAttachOnFailure) await quietly(() => attachEvidence(info, capture, id));
      if (!isOwn) return;
      await quietly(() => capture.finish(info));
      capture.clear(id);
    },
    OWN_SLOT,
  ],
});

function fixtureFor(capture: Session, id: string): GasolineFixture {
  const {server} = capture;
  return {
    async getSnapshot(since) {
      await capture.drainAll();
      return takeSnapshot(server, id, since);
    },
    async clear() {
      await capture.drainAll();
      await quietly(() => server.clear(id));
    },
    async markTest(testId, action) {
      await capture.drainAll();
      await quietly(() => server.mark({test_id: testId, action}));
    },
  };
}

async function attachEvidence(info: TestInfo, capture: Session, id: string): Promise<void> {
  await capture.drainAll();
  const snapshot = await takeSnapshot(capture.server, id, undefined);
  await info.attach('gasoline-snapshot', {body: JSON.stringify(snapshot, null, 2), contentType: 'application/json'});
  await info.attach('gasoline-summary', {body: summarize(snapshot), contentType: 'text/plain'});
}

async function start(server: Server, binary: string, workerIndex: number): Promise<void> {
  const problem = await quietly(() => ensureServer(server, binary));
  // Once for a run: every worker would say the same.
  if (problem && workerIndex === 0) process.stderr.write(`Gasoline: tests run without capture, because ${problem}\n`);
}

function script(): string {
  return readFileSync(require.resolve('gasoline-ci/gasoline-ci.driver.js'), 'utf8');
}

function modeOf(options: object): CaptureMode {
  return Reflect.get(options, 'gasolineCaptureMode') === 'all' ? 'all' : 'errors-only';
}

// Of another bundle, so not an instance of this one's class.
function isSession(value: unknown): value is Session {
  return typeof value === 'object' && value !== null && 'drainAll' in value && 'finish' in value;
}

function playwrightFolder(): string {
  const runner = createRequire(require.resolve('@playwright/test')).resolve('playwright');
  return dirname(createRequire(runner).resolve('playwright-core'));
}
