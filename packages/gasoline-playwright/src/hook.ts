// Capture without a change to tests or configuration: NODE_OPTIONS="--require .../hook.cjs" in front of any command.

import {readFileSync} from 'node:fs';
import Module from 'node:module';
import {dirname, join} from 'node:path';

import type {TestInfo, TestType} from '@playwright/test';

import {isPlaywright, observeBrowsers} from './browsers';
import {shortenTheWay} from './chromium';
import {currentTestOf} from './currentTest';
import {HOOKED, OWN_SLOT} from './fixtureSlot';
import {quietly, quietlyNow} from './quietly';
import {Server, portFromEnvironment} from './server';
import {Session} from './session';
import {StatusReporter} from './statusReporter';

type Test = TestType<object, object>;

// Where `@playwright/test` gets its `test` from; a module of the user's with one of its own is left alone.
const TEST_MODULE = /[\\/]playwright[\\/]test\.js$/;

// Where all of Playwright is that drives browsers, in whichever process that is done.
const CORE = 'coreBundle';

const runners = new Set<Test>();
const captured = new WeakSet<Test>();

const session = new Session({
  server: new Server(portFromEnvironment()),
  mode: process.env.GASOLINE_CAPTURE_MODE === 'errors-only' ? 'errors-only' : 'all',
  script: () => readFileSync(join(__dirname, 'gasoline-ci.driver.js'), 'utf8'),
  currentTest,
  testId: process.env.GASOLINE_TEST_ID,
});

function currentTest(): TestInfo | undefined {
  for (const test of runners) {
    const info = currentTestOf(test);
    if (info) return info;
  }
  return undefined;
}

// Playwright loads through `require` even where a test says `import`.
function watchModules(): void {
  const load: unknown = Reflect.get(Module, '_load');
  if (typeof load !== 'function') return;
  Reflect.set(Module, '_load', function (this: unknown, ...args: unknown[]): unknown {
    const loaded: unknown = Reflect.apply(load, this, args);
    const [request, parent] = args;
    if (typeof request !== 'string') return loaded;
    if (request.endsWith(CORE)) quietlyNow(() => shortenTheWay(loaded));
    if (!request.includes('playwright')) return loaded;
    return quietlyNow(() => look(loaded, request, parent)) ?? loaded;
  });
}

function look(loaded: unknown, request: string, parent: unknown): unknown {
  if (isPlaywright(loaded)) observeBrowsers(loaded, dirname(resolve(request, parent)), session);
  if (!hasTest(loaded) || captured.has(loaded.test) || !TEST_MODULE.test(resolve(request, parent))) return loaded;
  const test = withCapture(loaded.test);
  // A test file may take the module itself for `test`, or its `test`, or its `default`.
  const replaced = typeof loaded === 'function' ? withMissing(test, loaded) : {...loaded};
  Object.assign(replaced, {test, ...('default' in loaded && {default: test})});
  const cached: unknown = Reflect.get(Reflect.get(Module, '_cache'), resolve(request, parent));
  if (typeof cached === 'object' && cached !== null) Reflect.set(cached, 'exports', replaced);
  return replaced;
}

function resolve(request: string, parent: unknown): string {
  const find: unknown = Reflect.get(Module, '_resolveFilename');
  return typeof find === 'function' ? String(Reflect.apply(find, Module, [request, parent])) : request;
}

function hasTest(loaded: unknown): loaded is {test: Test} {
  if ((typeof loaded !== 'object' && typeof loaded !== 'function') || loaded === null) return false;
  const test: unknown = Reflect.get(loaded, 'test');
  return typeof test === 'function' && typeof Reflect.get(test, 'extend') === 'function' && typeof Reflect.get(test, 'info') === 'function';
}

function withCapture(test: Test): Test {
  runners.add(test);
  const extended = test.extend<{_gasolineHook: void}, {_gasolineDelivery: void}>({
    _gasolineHook: [
      async ({}, use, info) => {
        quietlyNow(() => session.begin(info));
        await use();
        await quietly(() => session.finish(info));
      },
      OWN_SLOT,
    ],
    _gasolineDelivery: [
      async ({}, use) => {
        await use();
        await session.settle();
      },
      {...OWN_SLOT, scope: 'worker'},
    ],
  });
  captured.add(extended);
  return extended;
}

// What `test` has of its own is bound to it and stays.
function withMissing(target: object, source: object): object {
  for (const key of Reflect.ownKeys(source)) {
    if (!(key in target)) Object.defineProperty(target, key, Reflect.getOwnPropertyDescriptor(source, key) ?? {});
  }
  return target;
}

quietlyNow(() => {
  if (Reflect.has(globalThis, HOOKED)) return;
  Reflect.set(globalThis, HOOKED, session);
  watchModules();
  // Playwright's own way to add a reporter beside those of the user.
  process.env.PW_TEST_REPORTER ??= __filename;
});

/** Tells the server how tests ended that could not tell themselves. */
export default class extends StatusReporter {
  constructor() {
    super(new Server(portFromEnvironment()));
  }
}
