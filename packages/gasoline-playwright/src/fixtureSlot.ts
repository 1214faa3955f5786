// What the fixture and the hook have in common as fixtures of Playwright.

/** The global under which the hook leaves its session, so that the fixture does not capture a second time. */
export const HOOKED = Symbol.for('gasoline.hook');

// A slot of its own: what capture takes is not taken from the test's time, and a timed-out test is still told of.
export const OWN_SLOT = {auto: true, scope: 'test', box: true, title: 'gasoline', timeout: 15_000} as const;
