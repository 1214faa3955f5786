// Asking a page. Playwright's own way first puts a script of its own into the page, which takes longer than the question:
// where this process itself holds the connection to Chromium, the question goes there as it is.

import type {Frame} from '@playwright/test';

import {internally} from './internally';
import {call, isMethod, isObject, part} from './parts';

interface Direct {
  client: object;
  contextId: number;
}

/** What an expression, or what it promises, comes to in a frame. */
export async function evaluate(frame: Frame, expression: string): Promise<unknown> {
  const served = call(part(frame, '_connection'), 'toImpl', frame);
  const direct = await directWay(served);
  return direct ? ask(direct, expression) : internally(frame, () => frame.evaluate<unknown>(expression));
}

/** The same for a frame as the process that holds the connection knows it, or else in its own way. */
export async function evaluateServed(served: object, expression: string, otherwise: () => unknown): Promise<unknown> {
  const direct = await directWay(served);
  return direct ? ask(direct, expression) : otherwise();
}

async function ask({client, contextId}: Direct, expression: string): Promise<unknown> {
  const answer = await call(client, 'send', 'Runtime.evaluate', {expression, contextId, awaitPromise: true, returnByValue: true});
  if (part(answer, 'exceptionDetails')) throw new Error('the page could not say it');
  return part(part(answer, 'result'), 'value');
}

// Nothing of this is promised by Playwright: a version that has it differently is asked in the usual way.
async function directWay(served: unknown): Promise<Direct | undefined> {
  const main = part(await call(served, 'mainContext'), 'delegate');
  const client = part(main, '_client');
  const contextId = part(main, '_contextId');
  return isObject(client) && isMethod(part(client, 'send')) && typeof contextId === 'number' ? {client, contextId} : undefined;
}
