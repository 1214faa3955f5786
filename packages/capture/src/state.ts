// What an app's store holds when an error happens: keys and types, and the few values that may explain it.

import {at, chain, isCallable, isObject, isText, keysOf, later, now, stringify} from './native';
import {quietly} from './patch';
import {INPUT_MARK, isSecretName, redactText} from './redact';
import {cut} from './serialize';

const KEYS = 20;
const VALUES = 10;
const VALUE_CHARS = 200;
const STATE_CHARS = 5000;
const BUDGET_MS = 100;
// As many as take a few milliseconds; providers come first.
const FIBERS = 2000;
// What changed so long before an error may have led to it.
const RECENT_MS = 2000;
const LOOK_MS = 500;
const TELLING = /error|loading|status|failed/i;
// Where apps mount what they show.
const MOUNT_POINTS = 'body,body>*,body>*>*,body>*>*>*';

export interface StateSnapshot {
  source: string;
  keys: Record<string, {type: string; keys?: string[] | undefined}>;
  relevantSlice: Record<string, unknown>;
}

/** Whose state, and the state. */
type Found = readonly [source: string, state: object] | undefined;

/** What is in a state, by path: its value, and the names on the way. */
type Paths = Map<string, readonly [value: unknown, name: string, key?: string]>;

type Sample = readonly [atMs: number, paths: Paths];

let samples: Sample[] = [];
let isWatching = false;

/** Remember the state of the last seconds for as long as it is wanted. */
export function watchState(wanted: {enabled: boolean; stateSnapshot: boolean}): void {
  const look = (): void => {
    samples = samples.filter(isRecent);
    isWatching = wanted.enabled && wanted.stateSnapshot;
    if (!isWatching) return;
    const found = quietly(findStore);
    if (found) samples.push([now(), pathsOf(found[1])]);
    later(look, LOOK_MS);
  };
  if (!isWatching) look();
}

function isRecent([atMs]: Sample): boolean {
  return now() - atMs < RECENT_MS;
}

function pathsOf(state: object): Paths {
  const paths: Paths = new Map();
  for (const name of keysOf(state).slice(0, KEYS)) {
    const value = at(state, name);
    paths.set(name, [value, name]);
    for (const key of keysOf(value).slice(0, KEYS)) paths.set(`${name}.${key}`, [at(value, key), name, key]);
  }
  return paths;
}

/** The one store that the page shows: on its window, or held by what it shows. */
function findStore(): Found {
  return findOnWindow() ?? findInPage(now() + BUDGET_MS);
}

export function snapshotState(message: string): StateSnapshot | null {
  const found = findStore();
  if (!found) return null;
  const [source, state] = found;
  const keys: StateSnapshot['keys'] = {};
  const values: [string, unknown][] = [];
  const words = new Set(message.toLowerCase().match(/\w{3,}/g));
  const tells = (key: string): boolean => TELLING.test(key) || words.has(key.toLowerCase());
  const before = samples.find(isRecent)?.[1];
  for (const [path, [value, name, key]] of pathsOf(state)) {
    const members = key === undefined ? keysOf(value).slice(0, KEYS) : [];
    if (isCallable(value)) continue;
    if (key === undefined) keys[name] = {type: typeOf(value), keys: typeOf(value) === 'object' ? members : undefined};
    const changed = before && before.get(path)?.[0] !== value;
    if (members.length === 0 && (changed || tells(name) || tells(key ?? name))) values.push([path, show(key ?? name, value)]);
  }
  const snapshot = {source, keys, relevantSlice: Object.fromEntries(values.slice(0, VALUES))};
  for (const name of keysOf(keys).reverse()) if (stringify(snapshot).length > STATE_CHARS) delete keys[name];
  return snapshot;
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function show(key: string, value: unknown): unknown {
  if (isSecretName(key)) return INPUT_MARK;
  if (isText(value)) return cut(redactText(value), VALUE_CHARS);
  return isObject(value) || isCallable(value) ? cut(`[${typeOf(value)}: ${Object.keys(value).join(', ')}]`, VALUE_CHARS) : value;
}

/** Redux and Zustand answer the same question; only the first knows actions. */
function readStore(store: unknown): Found {
  const getState = at(store, 'getState');
  const state = isCallable(getState) ? quietly(() => getState.call(store)) : undefined;
  return isObject(state) ? [at(store, 'dispatch') ? 'redux' : 'zustand', state] : undefined;
}

function findOnWindow(): Found {
  for (const name of Object.keys(window)) {
    const found = /store|redux|zustand/i.test(name) && readStore(at(window, name));
    if (found) return found;
  }
  return readPinia(at(window, '__pinia')) ?? readSvelte(at(window, '__svelte_stores'));
}

function readPinia(pinia: unknown): Found {
  const state = at(pinia, 'state', 'value');
  return isObject(state) ? ['pinia', state] : undefined;
}

function readSvelte(stores: unknown): Found {
  if (!isObject(stores)) return undefined;
  const state: Record<string, unknown> = {};
  for (const name of keysOf(stores)) {
    const store = at(stores, name);
    const subscribe = at(store, 'subscribe');
    state[name] = store;
    // A store tells its value to whoever subscribes, at once, and returns the way out.
    const leave = isCallable(subscribe) && quietly(() => subscribe.call(store, (value: unknown) => (state[name] = value)));
    if (isCallable(leave)) leave();
  }
  return ['svelte', state];
}

/** Pinia is known to its app, Redux to its Provider, Zustand to the hooks of whoever uses it. */
function findInPage(deadline: number): Found {
  let inHook: Found;
  let count = 0;
  for (const root of document.querySelectorAll(MOUNT_POINTS)) {
    const pinia = readPinia(at(root, '__vue_app__', 'config', 'globalProperties', '$pinia'));
    if (pinia) return pinia;
    const container = Object.keys(root).find(name => name.startsWith('__reactContainer$')) ?? '';
    for (const fiber of fibersOf(at(root, container, 'stateNode', 'current') ?? at(root, '_reactRootContainer', '_internalRoot', 'current'))) {
      const found = readStore(at(fiber, 'memoizedProps', 'store')) ?? readStore(at(fiber, 'memoizedProps', 'value', 'store'));
      if (found || now() > deadline || ++count > FIBERS) return found ?? inHook;
      inHook ??= readHooks(at(fiber, 'memoizedState'));
    }
  }
  return inHook;
}

function* fibersOf(first: unknown): Generator<unknown> {
  for (const fiber of chain(first, 'sibling')) {
    yield fiber;
    yield* fibersOf(at(fiber, 'child'));
  }
}

function readHooks(first: unknown): Found {
  for (const hook of chain(first, 'next')) {
    // The store is what the callback before the hook depends on; older versions leave only what was read.
    const store = readStore(at(hook, 'memoizedState', '1', '0'));
    const value = at(hook, 'queue', 'getSnapshot') && at(hook, 'queue', 'value');
    if (store) return store;
    if (isObject(value)) return ['zustand', value];
  }
  return undefined;
}
