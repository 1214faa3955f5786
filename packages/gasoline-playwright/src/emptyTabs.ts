// The tabs that a test has just opened. Each begins with an empty page, where nothing happens until the test does something:
// the test need not wait until our script has started there. That it does start there, meanwhile, spares the first page most
// of the reading: they share a process.

import {call, isObject, part} from './parts';
import {quietly} from './quietly';

export const ADD_SCRIPT = 'Page.addScriptToEvaluateOnNewDocument';
const ATTACHED = 'Target.attachedToTarget';
const DETACHED = 'Target.detachedFromTarget';
const EMPTY = 'about:blank';
const NAVIGATE = 'Page.navigate';
// The last that Playwright has to say before a tab is there.
const GO_ON = 'Runtime.runIfWaitingForDebugger';

/** What one tab gets of us. */
export interface Script {
  /** For the pages to come; resolves when the browser has it. */
  add(): Promise<unknown>;
  /** For the page that is there. */
  start(): Promise<unknown>;
}

interface EmptyTab {
  start?: Script['start'] | undefined;
  added?: Promise<unknown>;
}

const heard = new WeakSet<object>();
// By the names of their sessions.
const tabs = new Map<unknown, EmptyTab>();

/** Hear of new tabs of a browser, before Playwright does. */
export function hearOfTabs(root: unknown): void {
  if (!isObject(root) || heard.has(root)) return;
  heard.add(root);
  call(root, 'prependListener', ATTACHED, (event: unknown) => {
    const info = part(event, 'targetInfo');
    // One that a page opens has no address yet, and mostly an opener.
    if (part(info, 'type') === 'page' && part(info, 'url') === EMPTY && !part(info, 'openerId')) tabs.set(part(event, 'sessionId'), {});
  });
  call(root, 'on', DETACHED, (event: unknown) => tabs.delete(part(event, 'sessionId')));
}

/** Whether a tab is an empty one, and has taken the script; else it gets it as any page does. */
export function isTakenByTab(session: object, {add, start}: Script): boolean {
  const tab = tabOf(session);
  if (!tab || tab.added) return false;
  tab.added = add();
  tab.start = start;
  return true;
}

/**
 * Do what was asked of a tab. Before something may happen in its empty page, our script starts there; the browser goes to
 * another page only when it has the script, of which the old page's process tells it.
 */
export function mindEmptyTabs(session: object, [method, params]: readonly unknown[], proceed: () => unknown): unknown {
  const tab = tabOf(session);
  if (!tab?.added) return proceed();
  if (method === NAVIGATE) return tab.added.then(proceed);
  if (method === ADD_SCRIPT && part(params, 'runImmediately')) startIn(tab);
  const done = proceed();
  if (method === GO_ON) {
    void quietly(async () => {
      await done;
      startIn(tab);
    });
  }
  return done;
}

function startIn(tab: EmptyTab): void {
  void tab.start?.();
  tab.start = undefined;
}

function tabOf(session: object): EmptyTab | undefined {
  return tabs.get(part(session, '_sessionId'));
}
