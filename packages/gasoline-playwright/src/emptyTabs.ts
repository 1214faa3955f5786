// The tabs that a test has just opened. Each begins with an empty page, where nothing happens until the test does something:
// our script need not start there before that. For the pages to come the browser gets it while the tab's process starts.

import {call, isObject, part} from './parts';

export const ADD_SCRIPT = 'Page.addScriptToEvaluateOnNewDocument';
const NAVIGATED = 'Page.frameNavigated';
const ATTACHED = 'Target.attachedToTarget';
const DETACHED = 'Target.detachedFromTarget';
// A test may also talk to the browser itself.
const ATTACH = 'Target.attachToTarget';
const EMPTY = 'about:blank';
const NO_PAGE = new Set<unknown>([EMPTY, ':', '']);
const DEEDS = new Set<unknown>(['Runtime.evaluate', 'Runtime.callFunctionOn']);
const NAVIGATE = 'Page.navigate';

/** What one tab gets of us. */
interface Script {
  /** For the pages to come; resolves when the browser has it. */
  add(): Promise<unknown>;
  /** For the page that is there. */
  start(): void;
}

interface EmptyTab {
  start?: Script['start'];
  added?: Promise<unknown>;
}

const heard = new WeakSet<object>();
// By the names of their sessions and of themselves.
const tabs = new Map<unknown, EmptyTab>();
const sessions = new Map<unknown, unknown>();

/** Hear of new tabs of a browser, before Playwright does. */
export function hearOfTabs(root: unknown): void {
  if (!isObject(root) || heard.has(root)) return;
  heard.add(root);
  call(root, 'prependListener', ATTACHED, (event: unknown) => {
    const {target, session} = namesIn(event);
    const info = part(event, 'targetInfo');
    // One that a page opens has no address yet, and mostly an opener.
    if (part(info, 'type') !== 'page' || part(info, 'url') !== EMPTY || part(info, 'openerId')) return;
    tabs.set(session, {});
    sessions.set(target, session);
  });
  call(root, 'on', DETACHED, (event: unknown) => {
    const {target, session} = namesIn(event);
    tabs.delete(session);
    sessions.delete(target);
  });
}

function namesIn(event: unknown): {target: unknown; session: unknown} {
  return {target: part(event, 'targetId') ?? part(part(event, 'targetInfo'), 'targetId'), session: part(event, 'sessionId')};
}

/** Whether a tab is an empty one, and has taken the script for later; else it gets it as any page does. */
export function isTakenByTab(session: object, {add, start}: Script): boolean {
  const name = nameOf(session);
  const tab = tabs.get(name);
  if (!tab || tab.added) return false;
  tab.start = start;
  tab.added = add();
  call(session, 'on', NAVIGATED, (event: unknown) => {
    const frame = part(event, 'frame');
    if (!part(frame, 'parentId') && !NO_PAGE.has(part(frame, 'url'))) tabs.delete(name);
  });
  return true;
}

/**
 * Do what was asked of a tab. Before something may happen in a page that was empty so far, our script starts there; the
 * browser goes to another page only when it has the script, of which the old page's process tells it.
 */
export function mindEmptyTabs(session: object, [method, params]: readonly unknown[], proceed: () => unknown): unknown {
  const name = nameOf(session);
  if (method === ATTACH) fill(sessions.get(part(params, 'targetId')));
  else if (DEEDS.has(method) || (method === ADD_SCRIPT && part(params, 'runImmediately'))) fill(name);
  const added = method === NAVIGATE && tabs.get(name)?.added;
  return added ? added.then(proceed) : proceed();
}

function fill(name: unknown): void {
  const tab = tabs.get(name);
  if (!tab?.start) return;
  tab.start();
  delete tab.start;
}

function nameOf(session: object): unknown {
  return part(session, '_sessionId');
}
