// The browser's own functions, taken before the page can replace them: apps fake timers, wrap fetch
// and extend prototypes, and capture must neither break by it nor be seen.

const {setTimeout: nativeSetTimeout, clearTimeout: nativeClearTimeout, Date: NativeDate, Promise: NativePromise} = window;
const {addEventListener, removeEventListener} = EventTarget.prototype;
export const NativeObserver: typeof MutationObserver = window.MutationObserver;
const nativeStringify = JSON.stringify;
export const parse: (text: string) => object = JSON.parse;

export const {apply, construct, get} = Reflect;
export const nativeFetch: typeof fetch = window.fetch.bind(window);
export const now = performance.now.bind(performance);
export const epochNow = Date.now;

export function later(run: () => void, ms: number): number {
  return apply(nativeSetTimeout, window, [run, ms]);
}

export function cancelLater(timer: number): void {
  apply(nativeClearTimeout, window, [timer]);
}

export function pause(ms: number): Promise<void> {
  return new NativePromise(resolve => later(resolve, ms));
}

const urlOf = Object.getOwnPropertyDescriptor(Document.prototype, 'URL')?.get;

/** The page's address, at a tenth of the cost of `location.href`; an element may be named `URL` and hide the property. */
export function pageUrl(): string {
  return urlOf ? apply(urlOf, document, []) : location.href;
}

/** The page that every tab begins with. */
export function isBlank(): boolean {
  return pageUrl() === 'about:blank';
}

export function entriesOf(type: string): PerformanceEntryList {
  return performance.getEntriesByType(type);
}

export function isLoaded(): boolean {
  return document.readyState === 'complete';
}

let lastMs = Number.NaN;
let lastIso = '';

/** The time in the form of the wire; events come in bursts, so the last answer often serves again. */
export function isoTime(epochMs: number): string {
  if (epochMs !== lastMs) {
    lastIso = new NativeDate(epochMs).toISOString();
    lastMs = epochMs;
  }
  return lastIso;
}

// Capture phase: the page may stop an event before it bubbles.
export function addListener(target: EventTarget, type: string, listener: (event: Event) => void): void {
  apply(addEventListener, target, [type, listener, true]);
}

export function removeListener(target: EventTarget, type: string, listener: (event: Event) => void): void {
  apply(removeEventListener, target, [type, listener, true]);
}

// Pages outside a secure context have no randomUUID.
export function randomId(prefix: string): string {
  return crypto.randomUUID?.() ?? `${prefix}_${epochNow()}_${randomWord()}`;
}

export function randomWord(): string {
  return Math.random().toString(36).slice(2, 11);
}

/** By its attribute, not its property: a form may have a field named `id`. */
export function attributeOf(element: Element, name: string): string | null {
  return element.getAttribute(name);
}

/** An object that inherits nothing: what a page adds to every object must not become an option of ours. */
export function bare<T extends object>(object: T): T {
  return {__proto__: null, ...object};
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isCallable(value: unknown): value is (...args: unknown[]) => unknown {
  return typeof value === 'function';
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function isElement(value: unknown): value is Element {
  return value instanceof Element;
}

export function isSelect(value: unknown): value is HTMLSelectElement {
  return value instanceof HTMLSelectElement;
}

export function isField(value: unknown): value is HTMLInputElement | HTMLTextAreaElement {
  return isInput(value) || value instanceof HTMLTextAreaElement;
}

export function isInput(value: unknown): value is HTMLInputElement {
  return value instanceof HTMLInputElement;
}

/** Follow a path through whatever the page has there; undefined where it ends or refuses. */
export function at(holder: unknown, ...path: readonly string[]): unknown {
  let found = holder;
  for (const key of path) {
    if (!isObject(found) && !isCallable(found)) return undefined;
    try {
      found = get(found, key);
    } catch {
      return undefined;
    }
  }
  return found;
}

const CHAIN = 1000;

/** What hangs together by one property, from the first to the last; a page may have made it a ring. */
export function* chain(first: unknown, link: string): Generator<object> {
  let count = 0;
  for (let next = first; isObject(next) && count < CHAIN; next = at(next, link), count++) yield next;
}

export function keysOf(value: unknown): string[] {
  return isObject(value) && !Array.isArray(value) ? Object.keys(value) : [];
}

export function isIterable(value: unknown): value is Iterable<unknown> {
  return isObject(value) && Symbol.iterator in value;
}

/** JSON of plain data. Old libraries give every array a `toJSON`, which would make strings of ours. */
export function stringify(value: unknown): string {
  return 'toJSON' in nativeList ? encode(value, Infinity) : nativeStringify(value);
}

const nativeList: unknown[] = [];

/** The JSON of plain data up to about `chars`: costs no more than that, however large the value. */
export function encode(value: unknown, chars: number): string {
  let text = '';
  const write = (item: unknown): void => {
    if (!isObject(item)) {
      text += nativeStringify(item) ?? 'null';
      return;
    }
    const isList = Array.isArray(item);
    let joint = isList ? '[' : '{';
    for (const key of isList ? item.keys() : Object.keys(item)) {
      if (text.length > chars) return;
      const member: unknown = get(item, key);
      if (member === undefined && !isList) continue;
      text += isList ? joint : `${joint}${nativeStringify(key)}:`;
      joint = ',';
      write(member);
    }
    text += (joint === ',' ? '' : joint) + (isList ? ']' : '}');
  };
  write(value);
  return text;
}
