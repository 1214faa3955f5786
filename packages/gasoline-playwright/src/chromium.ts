// A shorter way between Chromium's pages and us, where this process holds the connection to the browser: a test's own process,
// or the one that Playwright starts for Python. For a binding Playwright puts two scripts of its own into every page, and one
// more into a page that it answers or asks; the browser can do the same without any. Nothing of this is promised by
// Playwright: a version that has it differently goes its own way.

import {ADD_SCRIPT, hearOfTabs, isTakenByTab, mindEmptyTabs} from './emptyTabs';
import {evaluateServed} from './evaluate';
import {call, isMethod, isObject, part, type Method} from './parts';
import {quietly} from './quietly';

export const BINDING = '__gasolineSend';
// As the driver for Python asks a page, with how often it did.
const HAND_OVER = 'nth => window.__gasoline ? window.__gasoline.flush(nth) : undefined';

/** What is done instead of a method, or before it; `proceed` is the method as it was called. */
type Instead = (target: object, args: readonly unknown[], proceed: () => unknown, method: Method) => unknown;

// Who takes what the pages of a context say.
const takers = new WeakMap<object, Method>();
const changed = new WeakMap<object, Set<string>>();

/** Shorten the way for all browsers that a copy of Playwright drives from this process. */
export function shortenTheWay(playwright: unknown): void {
  const server = part(playwright, 'server');
  const contexts = part(part(server, 'BrowserContext'), 'prototype');
  const pages = part(part(server, 'Page'), 'prototype');
  if (!isMethod(part(contexts, 'exposeBinding')) || !isMethod(part(contexts, 'addInitScript')) || !isMethod(part(pages, 'onBindingCalled'))) return;
  change(pages, 'onBindingCalled', hear);
  change(contexts, 'exposeBinding', expose);
}

/** Our binding is one of the browser's own, and has nothing to answer to a page. */
function expose(context: object, args: readonly unknown[], proceed: () => unknown): unknown {
  const nameAt = args.indexOf(BINDING);
  const take = args.find(isMethod);
  const browser = part(context, '_browser');
  const session = part(part(browser, '_connection'), 'rootSession');
  const isChromium = part(part(browser, 'options'), 'browserType') === 'chromium' && isMethod(part(session, 'createChildSession'));
  if (nameAt < 0 || !take || !isChromium) return proceed();
  change(prototypeOf(session), 'send', bind);
  hearOfTabs(session);
  call(context, 'once', 'page', (page: unknown) => change(prototypeOf(call(page, 'mainFrame')), 'evaluateExpression', ask));
  takers.set(context, take);
  // Whoever exposes something gets something to dispose of.
  return call(context, 'addInitScript', ...args.slice(0, nameAt), '');
}

/** Whatever gets our script has the binding when that starts. */
function bind(session: object, args: readonly unknown[], proceed: () => unknown, send: Method): unknown {
  const [method, params] = args;
  const source = method === ADD_SCRIPT ? part(params, 'source') : undefined;
  if (typeof source !== 'string' || !source.includes(BINDING)) return mindEmptyTabs(session, args, proceed);
  const tell = (...command: unknown[]): Promise<unknown> => quietly(async () => Reflect.apply(send, session, command));
  const addBinding = (): Promise<unknown> => tell('Runtime.addBinding', {name: BINDING});
  const script = {
    add() {
      void addBinding();
      return tell(ADD_SCRIPT, {source});
    },
    start: () => void tell('Runtime.evaluate', {expression: source}),
  };
  if (isTakenByTab(session, script)) return Promise.resolve({});
  void addBinding();
  return proceed();
}

/** Playwright's own bindings say JSON, ours a route. Whatever else a page says to ours, Playwright would end with the test. */
function hear(page: object, [message, context]: readonly unknown[], proceed: () => unknown): unknown {
  const browserContext = part(page, 'browserContext');
  const take = isObject(browserContext) ? takers.get(browserContext) : undefined;
  if (!take) return proceed();
  const isOurs = typeof message === 'string' && message.startsWith('/');
  return quietly(async () => (isOurs ? take({frame: part(context, 'frame'), page, context: browserContext}, message) : proceed()));
}

/** Python asks as any test may ask: our question is known by its words. */
function ask(frame: object, [, expression, , nth]: readonly unknown[], proceed: () => unknown): unknown {
  if (expression !== HAND_OVER || typeof nth !== 'number') return proceed();
  return evaluateServed(frame, `(${HAND_OVER})(${nth})`, proceed);
}

function prototypeOf(value: unknown): object | null {
  return isObject(value) ? Reflect.getPrototypeOf(value) : null;
}

/** Change a method for all that share it, once. */
function change(prototype: unknown, name: string, instead: Instead): void {
  const method = part(prototype, name);
  if (!isObject(prototype) || !isMethod(method) || changed.get(prototype)?.has(name)) return;
  changed.set(prototype, (changed.get(prototype) ?? new Set()).add(name));
  const value = function (this: object, ...args: unknown[]): unknown {
    return instead(this, args, () => Reflect.apply(method, this, args), method);
  };
  Object.defineProperty(prototype, name, {value, writable: true, configurable: true, enumerable: false});
}
