// The rule of everything here: a failure of ours is never a failure of the test.

let told = false;

/** Do it if it can be done. What went wrong is told once, and only to those who ask with GASOLINE_DEBUG. */
export async function quietly<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (problem) {
    tellOnce(problem);
    return undefined;
  }
}

/** The same for what is done at once. */
export function quietlyNow<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (problem) {
    tellOnce(problem);
    return undefined;
  }
}

function tellOnce(problem: unknown): void {
  if (told || !process.env.GASOLINE_DEBUG) return;
  told = true;
  process.stderr.write(`gasoline: ${problem instanceof Error ? (problem.stack ?? problem.message) : String(problem)}\n`);
}
