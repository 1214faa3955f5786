// Looking into what Playwright does not promise: whatever is not there is not there.

export type Method = (...args: unknown[]) => unknown;

export function part(target: unknown, name: string): unknown {
  return isObject(target) || isMethod(target) ? Reflect.get(target, name) : undefined;
}

export function call(target: unknown, name: string, ...args: unknown[]): unknown {
  const method = part(target, name);
  return isMethod(method) ? Reflect.apply(method, target, args) : undefined;
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function isMethod(value: unknown): value is Method {
  return typeof value === 'function';
}
