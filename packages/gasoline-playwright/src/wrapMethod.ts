// Doing something before or after a method of Playwright, unseen by its stack traces.

import {join} from 'node:path';
import {runInThisContext} from 'node:vm';

import {quietly} from './quietly';

export interface Around {
  before?: (target: unknown) => Promise<unknown>;
  after?: (result: unknown, args: readonly unknown[]) => Promise<unknown>;
}

const WRAPPER = `(name, original, before, after) => ({
  async [name](...args) {
    await before(this);
    const result = await original.apply(this, args);
    await after(result, args);
    return result;
  },
})[name]`;

/** Makes wrappers whose frames lie in the given folder: Playwright leaves its own out when it says where a step is. */
export function methodWrapper(folder: string): (prototype: object, name: string, around: Around) => void {
  const make: unknown = runInThisContext(WRAPPER, {filename: join(folder, 'gasoline.js')});
  return (prototype, name, {before, after}) => {
    const original: unknown = Reflect.get(prototype, name);
    if (typeof original !== 'function' || typeof make !== 'function') return;
    const value: unknown = Reflect.apply(make, undefined, [
      name,
      original,
      (target: unknown) => quietly(async () => before?.(target)),
      (result: unknown, args: readonly unknown[]) => quietly(async () => after?.(result, args)),
    ]);
    Object.defineProperty(prototype, name, {value, writable: true, configurable: true, enumerable: false});
  };
}
