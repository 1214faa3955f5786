// The runner's side: how tests ended that could not tell themselves, because their worker crashed or never ran them.

import type {FullConfig, FullProject, TestCase, TestResult} from '@playwright/test/reporter';

import {describeOutcome} from './outcome';
import {quietly} from './quietly';
import {hasField, type Boundary, type Server} from './server';
import {nameTest} from './testId';

export class StatusReporter {
  readonly #server: Server;
  #projectCount = 1;
  #began = new Date();
  readonly #ended = new Map<string, Boundary>();
  // One after the other: a second attempt must not be ended by the first one's word.
  #telling: Promise<unknown> = Promise.resolve();
  // Merging reports goes through reporters too, and runs nothing.
  readonly #runsTests = !process.argv.includes('merge-reports');

  constructor(server: Server) {
    this.#server = server;
  }

  /** False lets Playwright add its usual output where the user's reporters print nothing. */
  printsToStdio(): boolean {
    return false;
  }

  onBegin(config: FullConfig): void {
    this.#projectCount = config.projects.length;
    this.#began = new Date();
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    if (!this.#runsTests) return;
    const boundary = this.#describe(test, result);
    this.#ended.set(keyOf(boundary), boundary);
    if (boundary.status === 'passed' || boundary.status === 'skipped') return;
    this.#telling = this.#telling.then(() => quietly(() => this.#server.mark(boundary)));
  }

  async onEnd(): Promise<void> {
    await this.#telling;
    await quietly(() => this.#addMissing());
  }

  get failedTests(): number {
    const failed = [...this.#ended.values()].filter(({status}) => status !== 'passed' && status !== 'skipped');
    return new Set(failed.map(({test_id}) => test_id)).size;
  }

  async #addMissing(): Promise<void> {
    if (this.#ended.size === 0) return;
    const listed = await this.#server.get('/tests');
    // Beyond its bound the server forgets passed tests first: those it no longer lists are not missing.
    const forgets = hasField(listed, 'forgotten') && listed.forgotten !== 0;
    const {running, known} = sortAttempts(listed, this.#began);
    for (const [key, boundary] of this.#ended) {
      // To start an earlier attempt would be to start the test anew.
      const isOver = known.has(keyOf({...boundary, attempt: (boundary.attempt ?? 1) + 1}));
      const isMissing = !known.has(key) && !isOver && !(forgets && boundary.status === 'passed');
      if (isMissing) await this.#server.mark({...boundary, action: 'start'});
      if (isMissing || running.has(key)) await this.#server.mark(boundary);
    }
  }

  #describe(test: TestCase, result: TestResult): Boundary {
    const [, , ...titlePath] = test.titlePath();
    const place = {titlePath, project: projectOf(test)?.name ?? '', projectCount: this.#projectCount, repeatEachIndex: test.repeatEachIndex};
    const {status, duration, errors} = result;
    const outcome = describeOutcome({status, expectedStatus: test.expectedStatus, duration, errors});
    return {test_id: nameTest(place), action: 'end', attempt: result.retry + 1, ...outcome};
  }
}

function projectOf(test: TestCase): FullProject | undefined {
  return test.parent.project();
}

function keyOf({test_id, attempt}: {test_id: unknown; attempt?: unknown}): string {
  return JSON.stringify([test_id, attempt]);
}

// A server that outlives runs knows tests of the same names from before.
function sortAttempts(listed: unknown, since: Date): {running: Set<string>; known: Set<string>} {
  const [running, known] = [new Set<string>(), new Set<string>()];
  const tests: unknown = hasField(listed, 'tests') ? listed.tests : [];
  for (const test of Array.isArray(tests) ? tests : []) {
    if (!hasField(test, 'test_id') || !hasField(test, 'attempt') || !hasField(test, 'started')) continue;
    if (new Date(String(test.started)) < since) continue;
    known.add(keyOf(test));
    if (hasField(test, 'active') && test.active === true) running.add(keyOf(test));
  }
  return {running, known};
}
