// What one process captures: the browsers it drives, and the test that their events belong to.

import {cpus, loadavg} from 'node:os';

import type {BrowserContext, Frame, Page, TestInfo} from '@playwright/test';

import {CRASHED_PAGE, LATE_PAGE, notObserved, writeAdmission, writeCrash, type Admission} from './admission';
import {BINDING} from './chromium';
import {evaluate} from './evaluate';
import {internally} from './internally';
import {describeOutcome} from './outcome';
import {Outbox} from './outbox';
import {quietly, quietlyNow} from './quietly';
import {HOST_NAME, type Boundary, type Server} from './server';
import {nameTest} from './testId';

// Playwright's names for browsers, and what these call themselves in requests.
const OWN_NAMES: Record<string, string> = {chromium: 'Chrome', firefox: 'Firefox', webkit: 'Version'};
// What the page holds is the answer: it need not call us, and wait for ours.
const HAND_OVER = 'window.__gasoline && window.__gasoline.flush(1)';
// A page that gives no sign of life for this long is given up, once its browser has shown that it is not merely
// far away or short of processor time; however talkative, it is given up after that long.
const SILENCE_MS = 250;
// Most pages answer at once, and their browser need not be asked.
const FIRST_LOOK_MS = 100;
// A browser has no cookies for this: asking for them takes it a round trip and nothing else.
const NOWHERE = 'http://127.0.0.1';
const LONGEST_DRAIN_MS = 3000;
// A machine that is short of processor time slows the page more than the browser, and all the more the more programs share it.
const SLOWER_THAN_BROWSER = 4;

// A page may deliver what it captured and nothing else: this process may ask the server more than a page may.
const ROUTES = new Set(['/logs', '/websocket-events', '/network-bodies', '/enhanced-actions', '/performance-snapshots', '/dom-snapshots']);

export type CaptureMode = 'errors-only' | 'all';

export interface SessionOptions {
  server: Server;
  mode: CaptureMode;
  /** The text of gasoline-ci.js, read when a browser is driven. */
  script: () => string;
  /** The test that runs now, if a runner says so. */
  currentTest: () => TestInfo | undefined;
  /** The test of a process that no runner drives. */
  testId?: string | undefined;
}

interface PageBatch {
  route: string;
  body: string;
}

// A test that starts is told at once, and so is an error, which may be about to end this process.
const URGENT = {isUrgent: true};
const ERROR = '"level":"error"';

interface Attempt {
  id: string;
  number: number;
}

export class Session {
  mode: CaptureMode;
  readonly server: Server;
  readonly #options: SessionOptions;
  readonly #attempts = new WeakMap<TestInfo, Attempt>();
  readonly #contexts = new Set<BrowserContext>();
  // Everything goes to the server in the order in which it happened, and the tests go on meanwhile.
  readonly #outbox: Outbox;
  #latest: Attempt | undefined;
  #script: string | undefined;
  #heardAt = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.server = options.server;
    this.#outbox = new Outbox(options.server);
    this.mode = options.mode;
    if (options.testId) this.#latest = {id: options.testId, number: 1};
  }

  idOf(test: TestInfo): string {
    return this.#attemptOf(test).id;
  }

  /** Say that a test runs, unless that was said when a hook before it opened a browser. */
  begin(test: TestInfo): void {
    this.#attemptOf(test);
  }

  /** Say how a test ended, after everything its pages saw. */
  async finish(test: TestInfo): Promise<void> {
    await this.#drainOpen();
    const {id, number} = this.#attemptOf(test);
    const {status = 'passed', expectedStatus, duration, errors} = test;
    const outcome = describeOutcome({status, expectedStatus, duration, errors});
    this.#mark({test_id: id, action: 'end', attempt: number, ...outcome});
    // Whoever retries it, or reports of it, may rely on what it left.
    if (outcome.status !== 'passed') await this.settle();
  }

  /** Forget what a test saw, once it was delivered. */
  clear(id: string): void {
    void quietly(() => this.#outbox.ask(() => this.server.clear(id)));
  }

  /** Wait until the server has everything so far, or did not take it. */
  async settle(): Promise<void> {
    await this.#outbox.settle();
  }

  /** Capture in every page that a context has and will have. */
  async adopt(context: BrowserContext): Promise<void> {
    if (this.#contexts.has(context)) return;
    this.#contexts.add(context);
    context.on('close', () => this.#contexts.delete(context));
    const content = this.#pageScript();
    try {
      await this.#observe(context, content);
    } catch (problem) {
      this.admit(notObserved(problem));
      throw problem;
    }
  }

  /** Say in the evidence of the test that runs what is missing from it. */
  admit(admission: Admission): void {
    this.#log(writeAdmission(admission, this.#attemptNow()?.id));
  }

  async #observe(context: BrowserContext, content: string): Promise<void> {
    const browser = context.browser();
    if (browser) this.server.userAgent = `${OWN_NAMES[browser.browserType().name()]}/${browser.version()}`;
    const hearOfCrash = (page: Page): unknown => page.on('crash', () => this.#tellOfCrash(page));
    context.on('page', hearOfCrash);
    context.pages().forEach(hearOfCrash);
    await internally(context, async () => {
      const binding = context.exposeBinding(BINDING, ({frame}, message: unknown) => this.#take(message, frame.url()));
      await Promise.all([binding, context.addInitScript({content})]);
      // A browser that was joined, or opened with a profile, has pages already.
      const frames = context.pages().flatMap(page => page.frames());
      await Promise.allSettled(frames.map(frame => frame.evaluate(content)));
    });
  }

  // What no page can say itself.
  #tellOfCrash(page: Page): void {
    this.#log(writeCrash(page.url(), this.#attemptNow()?.id));
    this.admit(CRASHED_PAGE);
  }

  /** Take what these pages hold before they close. */
  async drain(pages: readonly Page[]): Promise<void> {
    const open = pages.filter(page => !page.isClosed());
    const asked = Promise.allSettled(open.flatMap(page => page.frames()).map(frame => this.#handOver(frame)));
    if (open[0] && !(await this.#patiently(asked, open[0].context()))) this.admit(LATE_PAGE);
    // A runner has a fixture that waits at its very end; a script may end its process next.
    if (!this.#options.currentTest()) await this.settle();
  }

  /** Wait until the server has what open pages saw so far. */
  async drainAll(): Promise<void> {
    await this.#drainOpen();
    await this.settle();
  }

  async #drainOpen(): Promise<void> {
    await quietly(() => this.drain([...this.#contexts].flatMap(context => context.pages())));
  }

  async #handOver(frame: Frame): Promise<void> {
    const answer = await evaluate(frame, HAND_OVER);
    // A page that captures in its own way has sent it in its own way.
    if (typeof answer === 'string' && answer) void quietly(() => this.#take(answer, frame.url()));
  }

  // Between tests, a page that outlives its test still speaks of the last one.
  #attemptNow(): Attempt | undefined {
    const test = this.#options.currentTest();
    return test ? this.#attemptOf(test) : this.#latest;
  }

  #attemptOf(test: TestInfo): Attempt {
    const known = this.#attempts.get(test);
    if (known) return known;
    const id = nameTest({
      titlePath: test.titlePath,
      project: test.project.name,
      projectCount: test.config.projects.length,
      repeatEachIndex: test.repeatEachIndex,
    });
    const number = test.retry + 1;
    const attempt: Attempt = {id, number};
    this.#mark({test_id: id, action: 'start', attempt: number}, URGENT);
    this.#attempts.set(test, attempt);
    this.#latest = attempt;
    return attempt;
  }

  // What this rejects with, the page takes as "not delivered" and sends again.
  async #take(message: unknown, url: string): Promise<void> {
    this.#heardAt = Date.now();
    const id = this.#attemptNow()?.id;
    const origin = originOf(url);
    const lines = readBatches(message).map(({route, body}) => `${route} ${origin}${id === undefined ? body : withTestId(body, id)}`);
    this.#outbox.tell(lines, {isUrgent: lines.some(line => line.includes(ERROR))});
  }

  #mark(boundary: Boundary, urgency?: {isUrgent: boolean}): void {
    quietlyNow(() => this.#outbox.tell([`/test-boundary${JSON.stringify(boundary)}`], urgency));
  }

  #log(body: string): void {
    quietlyNow(() => this.#outbox.tell([`/logs${body}`]));
  }

  #pageScript(): string {
    this.#script ??= this.#options.script();
    const settings = {__GASOLINE_HOST: HOST_NAME, __GASOLINE_PORT: this.server.port, __GASOLINE_CAPTURE_MODE: this.mode, ...readAiContext()};
    return `Object.assign(window, ${JSON.stringify(settings)});\n${this.#script}`;
  }

  /** Whether it was done before patience ended. */
  #patiently(done: Promise<unknown>, context: BrowserContext): Promise<boolean> {
    const began = Date.now();
    let askedAt = 0;
    let browserTook = Infinity;
    const askBrowser = async (): Promise<void> => {
      askedAt = Date.now();
      await quietly(() => internally(context, () => context.cookies(NOWHERE)));
      browserTook = Date.now() - askedAt;
    };
    return new Promise(resolve => {
      let timer: NodeJS.Timeout;
      const look = (): void => {
        if (askedAt === 0) void askBrowser();
        const patience = (SILENCE_MS + SLOWER_THAN_BROWSER * browserTook) * Math.max(crowding(), 1);
        const left = Math.min(Math.max(askedAt + browserTook, this.#heardAt) + patience, began + LONGEST_DRAIN_MS) - Date.now();
        if (left <= 0) resolve(false);
        else timer = setTimeout(look, Math.min(SILENCE_MS, left));
      };
      timer = setTimeout(look, FIRST_LOOK_MS);
      void done.then(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }
}

/** How many programs want each of the machine's processors, where the system says so. */
function crowding(): number {
  const [lastMinute = 0] = loadavg();
  return lastMinute / Math.max(cpus().length, 1);
}

/** What the user wants errors told with: `false`, or an object of switches, as JSON. */
function readAiContext(): {__GASOLINE_AI_CONTEXT?: unknown} {
  try {
    const wanted: unknown = JSON.parse(process.env.GASOLINE_AI_CONTEXT ?? 'null');
    return wanted === false || (typeof wanted === 'object' && wanted !== null) ? {__GASOLINE_AI_CONTEXT: wanted} : {};
  } catch {
    return {};
  }
}

/** A line for each batch: a route, and right behind it the body. */
function readBatches(message: unknown): PageBatch[] {
  if (typeof message !== 'string') throw new Error('not a batch');
  return message.split('\n').map(readBatch);
}

function readBatch(line: string): PageBatch {
  const start = line.indexOf('{"');
  const route = line.slice(0, Math.max(start, 0));
  if (!ROUTES.has(route)) throw new Error('not a batch');
  return {route, body: line.slice(start)};
}

// The page's own word, if it has one, comes later in the object and wins.
function withTestId(body: string, id: string): string {
  return `{"test_id":${JSON.stringify(id)},${body.slice(1)}`;
}

/** A page's origin as its browser knows it: a page may say anything of itself. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'null';
}
