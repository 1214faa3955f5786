// Which test runs in this process now.

import type {TestInfo} from '@playwright/test';

/** Playwright has no way to ask that does not throw when none runs. */
export function currentTestOf(test: {info(): TestInfo}): TestInfo | undefined {
  try {
    return test.info();
  } catch {
    return undefined;
  }
}
