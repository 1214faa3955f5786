// Calls of ours that the user's report, trace and step list need not show.

import {AsyncResource} from 'node:async_hooks';

// Made before any test runs: inside it, no call of the user's is under way that ours could be taken for.
const outside = new AsyncResource('gasoline');

/** Call Playwright as it calls itself, where its version has a way to. */
export function internally<T>(target: object, call: () => Promise<T>): Promise<T> {
  const wrap: unknown = Reflect.get(target, '_wrapApiCall');
  const wrapped = (): Promise<T> => (typeof wrap === 'function' ? Reflect.apply(wrap, target, [call, {internal: true}]) : call());
  return outside.runInAsyncScope(wrapped);
}
