// The only place where the page's functions are replaced, and where our own failures end.

import {NativeObserver, addListener, apply, bare, construct, get, isCallable, isObject, removeListener} from './native';

export type Stop = () => void;

export const nothing: Stop = () => undefined;

/** Run our own code inside the page: whatever happens in it, the page must not notice. */
export function quietly<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** The same for what takes its time: it never rejects, so the page hears of no unhandled rejection. */
export async function quietlyLater(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch {
    // Losing an event is better than being noticed.
  }
}

let looking = false;

/**
 * Look at what the page just did. Reading its values can run its code (a getter that logs, a patched
 * array method); what that code does is our doing and not captured, else it would never end.
 */
export function look<T>(run: () => T): T | undefined {
  if (looking) return undefined;
  looking = true;
  try {
    return run();
  } catch {
    return undefined;
  } finally {
    looking = false;
  }
}

export function stopAll(stops: readonly (Stop | undefined)[]): Stop {
  return () => stops.forEach(stop => stop && quietly(stop));
}

/** Start several captures, each on its own: one that this page does not allow takes no other with it. */
export function startAll(starts: readonly (() => Stop)[]): Stop {
  return stopAll(starts.map(quietly<Stop>));
}

/** Hear an event; a failing handler is silent. */
export function on(target: EventTarget, type: string, handle: (event: Event) => void): Stop {
  const listener = (event: Event): void => void look(() => handle(event));
  addListener(target, type, listener);
  return () => removeListener(target, type, listener);
}

const listening = new Map<(event: Event) => void, string>();

/**
 * Hear an event anywhere in the page for as long as capture runs. On the window, not the document:
 * `window.open` may give the same window another document.
 */
export function listen(type: string, handle: (event: Event) => void): Stop {
  const listener = (event: Event): void => void look(() => handle(event));
  addListener(window, type, listener);
  listening.set(listener, type);
  return () => {
    listening.delete(listener);
    removeListener(window, type, listener);
  };
}

/** Tell an event again, to who was not there yet when it happened. */
export function retell(event: Event): void {
  for (const [listener, type] of listening) if (type === event.type) listener(event);
}

/**
 * `document.open`, and so `document.write` after load, takes every listener from the window: put ours back. What comes
 * into an empty page is also told, whatever it is.
 */
export function keepListening(onContent: () => void, isEmpty: boolean): Stop {
  const watch = (subtree: boolean): void => observer.observe(document, {childList: true, subtree});
  const observer = new NativeObserver(() =>
    quietly(() => {
      watch(false);
      for (const [listener, type] of listening) addListener(window, type, listener);
      onContent();
    }),
  );
  watch(isEmpty);
  return () => observer.disconnect();
}

/**
 * Replace a property and return what puts the original back. If the page has wrapped ours
 * meanwhile, ours stays in the chain: taking it out would break theirs.
 */
function replaceProperty<T extends object, K extends keyof T>(holder: T, name: K, value: T[K]): Stop {
  const own = Object.getOwnPropertyDescriptor(holder, name);
  if (own && !own.configurable && !own.writable) return nothing;
  const original = holder[name];
  // The same, as what may be without the property.
  const bared: Partial<T> = holder;
  if (own && !own.configurable) holder[name] = value;
  else Object.defineProperty(holder, name, bare({configurable: true, enumerable: own?.enumerable ?? true, writable: true, value}));
  return () => {
    if (holder[name] !== value) return;
    if (!own) delete bared[name];
    else if (own.configurable) Object.defineProperty(holder, name, bare(own));
    else holder[name] = original;
  };
}

/** How often the page called something that is patched, but for its console: whether it does anything; and whether it did after what is told again. */
export const deeds = {soFar: 0, afterwards: false};

export type Around = (proceed: () => unknown, args: readonly unknown[], receiver: unknown) => unknown;

/**
 * Put a function around a method. `around` decides what the caller gets, so it must call `proceed`
 * exactly once and pass on what comes of it. A proxy, not a closure: name, length and own properties
 * stay those of the original, and it still says that it is native code.
 */
export function patchMethod<T extends object, K extends keyof T>(holder: T, name: K, around: Around): Stop {
  const original = holder[name];
  if (!isCallable(original)) return nothing;
  const handler: ProxyHandler<typeof original> = {
    apply: (target, receiver, args: unknown[]) => {
      if (holder !== console) deeds.soFar++;
      return around(() => apply(target, receiver, args), args, receiver);
    },
  };
  return replaceProperty(holder, name, new Proxy(original, bare(handler)));
}

/** See each call before it happens; result and exceptions are the original's own. */
export function observeCalls<T extends object, K extends keyof T>(
  holder: T,
  name: K,
  observe: (args: readonly unknown[], receiver: unknown) => void,
): Stop {
  return patchMethod(holder, name, (proceed, args, receiver) => {
    look(() => observe(args, receiver));
    return proceed();
  });
}

function hasConstructor(prototype: unknown): prototype is {constructor: unknown} {
  return isObject(prototype) && 'constructor' in prototype;
}

/** See each instance a constructor makes. Subclasses, `instanceof` and statics go on working. */
export function observeConstruction<T extends object, K extends keyof T>(
  holder: T,
  name: K,
  observe: (instance: object) => void,
): Stop {
  const original = holder[name];
  if (!isCallable(original)) return nothing;
  const handler: ProxyHandler<typeof original> = {
    construct: (target, args: unknown[], newTarget) => {
      deeds.soFar++;
      const instance: object = construct(target, args, newTarget);
      look(() => observe(instance));
      return instance;
    },
  };
  const proxy = new Proxy(original, bare(handler));
  const prototype: unknown = get(original, 'prototype');
  return stopAll([
    replaceProperty(holder, name, proxy),
    hasConstructor(prototype) ? replaceProperty(prototype, 'constructor', proxy) : nothing,
  ]);
}
