// How a test ended, in the server's words.

import {stripVTControlCharacters} from 'node:util';

import type {TestInfo} from '@playwright/test';

// Longer than the server keeps; it removes secrets before it cuts.
const MESSAGE_CHARS = 100_000;

type Status = NonNullable<TestInfo['status']>;

interface TestError {
  message?: string | undefined;
  value?: string | undefined;
}

export interface Ending {
  status: Status;
  expectedStatus: Status;
  duration: number;
  errors: readonly TestError[];
}

export interface Outcome {
  status: string;
  duration_ms: number;
  message?: string;
}

/** A test that was expected to fail and did has passed. */
export function describeOutcome({status, expectedStatus, duration, errors}: Ending): Outcome {
  const outcome: Outcome = {status: verdict(status, expectedStatus), duration_ms: duration};
  const message = outcome.status === 'passed' ? '' : tell(errors, status);
  return message ? {...outcome, message} : outcome;
}

function verdict(status: Status, expected: Status): string {
  if (status === 'skipped') return status;
  if (status === expected) return 'passed';
  return status === 'passed' ? 'failed' : status;
}

function tell(errors: readonly TestError[], status: Status): string {
  const said = errors.map(error => error.message ?? error.value ?? '').filter(Boolean);
  if (said.length === 0 && status === 'passed') return 'Expected to fail, but passed.';
  return stripVTControlCharacters(said.join('\n\n')).slice(0, MESSAGE_CHARS);
}
