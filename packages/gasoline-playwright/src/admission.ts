// What capture says of itself in the evidence: an empty list must not pass for a quiet browser.

const KIND = 'gasoline-capture';

export interface Admission {
  state: 'partial' | 'blind';
  why: string;
  /** What the reader may do about it. */
  next: string;
}

export const LATE_PAGE: Admission = {
  state: 'partial',
  why: 'a page did not hand over what it held in time',
  next: 'Its scripts were busy: have the test wait for what it expects before it ends.',
};

export const CRASHED_PAGE: Admission = {
  state: 'partial',
  why: 'a page crashed with what it had not handed over yet',
  next: 'Look at what it did last: pages crash when memory runs out, or of a bug in the browser.',
};

export const NO_SCRIPTS: Admission = {
  state: 'blind',
  why: 'the browser context runs no JavaScript',
  next: 'Open the context without javaScriptEnabled: false.',
};

export function notObserved(problem: unknown): Admission {
  const said = problem instanceof Error ? problem.message : String(problem);
  // Playwright puts the name of its own method in front, which tells the reader nothing.
  const reason = said.split('\n', 1)[0]?.replace(/^\w+\._\w+: /, '');
  return {state: 'blind', why: `a browser context could not be observed (${reason})`, next: 'Put gasoline-ci.js into the page yourself, or drive Chromium.'};
}

/** A batch for the server's log; it knows the kind, and judges by it how much the evidence is worth. */
export function writeAdmission({state, why, next}: Admission, testId: string | undefined): string {
  const entry = {level: 'info', type: KIND, source: KIND, message: `[gasoline] Capture is ${state}: ${why}`, capture: state, metadata: {next}};
  return JSON.stringify({test_id: testId, entries: [entry]});
}

/** A batch for the server's log, which judges a crash as the worst that can happen to a page. */
export function writeCrash(url: string, testId: string | undefined): string {
  return JSON.stringify({test_id: testId, entries: [{level: 'error', type: 'crash', source: 'crash', message: 'The page crashed', url}]});
}
