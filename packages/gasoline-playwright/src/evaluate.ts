// Asking a page. Playwright's own way first puts a script of its own into the page, which takes longer than the question:
// where this process itself holds the connection to Chromium, the question goes there as it is.

import type {Frame} from '@playwright/test';

import {internally} from './internally';

interface Answer {
  result?: {value?: unknown};
  exceptionDetails?: unknown;
}

interface Direct {
  client: object;
  send: (method: string, params: object) => Promise<Answer>;
  contextId: number;
}

/** What an expression, or what it promises, comes to in a frame. */
export async function evaluate(frame: Frame, expression: string): Promise<unknown> {
  const direct = await directWay(frame);
  if (!direct) return internally(frame, () => frame.evaluate<unknown>(expression));
  const {client, send, contextId} = direct;
  const {result, exceptionDetails} = await Reflect.apply(send, client, ['Runtime.evaluate', {expression, contextId, awaitPromise: true, returnByValue: true}]);
  if (exceptionDetails) throw new Error('the page could not say it');
  return result?.value;
}

// Nothing of this is promised by Playwright: a version that has it differently is asked in the usual way.
async function directWay(frame: Frame): Promise<Direct | undefined> {
  const served = call(part(frame, '_connection'), 'toImpl', frame);
  const main = part(await call(served, 'mainContext'), 'delegate');
  const client = part(main, '_client');
  const send = part(client, 'send');
  const contextId = part(main, '_contextId');
  return isObject(client) && isFunction(send) && typeof contextId === 'number' ? {client, send, contextId} : undefined;
}

function call(target: unknown, name: string, ...args: unknown[]): unknown {
  const method = part(target, name);
  return isFunction(method) ? Reflect.apply(method, target, args) : undefined;
}

function part(target: unknown, name: string): unknown {
  return isObject(target) ? Reflect.get(target, name) : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isFunction(value: unknown): value is Direct['send'] {
  return typeof value === 'function';
}
