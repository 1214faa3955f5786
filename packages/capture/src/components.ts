// Which components an element belongs to, from the innermost to the root: names and keys, never values.

import {at, chain, isCallable, isElement, isObject, isText, keysOf, now, stringify} from './native';
import {cut} from './serialize';

const COMPONENTS = 10;
const PROP_KEYS = 20;
const STATE_KEYS = 10;
const NAME_CHARS = 60;
const ANCESTRY_CHARS = 5000;
// Ten components take microseconds, and a tree of Vue's is searched only where the element is.
const BUDGET_MS = 50;
let deadline = 0;

export interface Component {
  name: string;
  propKeys?: string[] | undefined;
  hasState?: true | undefined;
  stateKeys?: string[] | undefined;
}

export interface Ancestry {
  framework: string;
  /** From the root to the leaf. */
  components: Component[];
}

/** Read at once, not later: a page that fails takes its components apart. */
export function ancestryOf(origin: Element | null): Ancestry | null {
  for (let element = origin; element; element = parentOf(element)) {
    const found =
      limit('react', walkReact(fiberOf(element))) ??
      limit('vue', walkVue(element, origin)) ??
      limit('svelte', walkSvelte(element));
    if (found) return found;
  }
  return null;
}

/** What React writes beside an error: `at Cart (...)` or `in Cart (created by App)`, innermost first. */
export function ancestryInText(text: string): Ancestry | null {
  if (!/component/i.test(text)) return null;
  const named = [...text.matchAll(/^ +(?:in|at) ([A-Z]\w*)/gm)].map(([, name]) => describe(name));
  return limit('react', named);
}

function limit(framework: string, walk: Iterable<Component>): Ancestry | null {
  const components: Component[] = [];
  deadline = now() + BUDGET_MS;
  for (const component of walk) {
    components.unshift(component);
    if (components.length >= COMPONENTS || isLate()) break;
  }
  while (stringify(components).length > ANCESTRY_CHARS) components.shift();
  return components.length > 0 ? {framework, components} : null;
}

function isLate(): boolean {
  return now() > deadline;
}

function parentOf(element: Element): Element | null {
  const parent = element.parentElement ?? at(element.getRootNode(), 'host');
  return isElement(parent) ? parent : null;
}

function describe(name: unknown, props?: unknown, stateKeys: string[] = [], hasState: boolean = stateKeys.length > 0): Component {
  const propKeys = keysOf(props).filter(key => key !== 'children');
  return {
    name: (isText(name) && cut(name, NAME_CHARS)) || 'Anonymous',
    propKeys: some(propKeys, PROP_KEYS),
    hasState: hasState || undefined,
    stateKeys: some(stateKeys, STATE_KEYS),
  };
}

function some(keys: readonly string[], count: number): string[] | undefined {
  return keys.length > 0 ? keys.slice(0, count).map(key => cut(key, NAME_CHARS)) : undefined;
}

/** React's own record of an element: `__reactInternalInstance$...` until 16. */
function fiberOf(element: Element): unknown {
  const key = Object.keys(element).find(name => /^__react(Fiber|InternalInstance)\$/.test(name));
  return key && at(element, key);
}

function* walkReact(leaf: unknown): Generator<Component> {
  let provided: string[] = [];
  let last: unknown;
  for (const fiber of chain(leaf, 'return')) {
    const type = at(fiber, 'type');
    const props = at(fiber, 'memoizedProps');
    const component = unwrap(type);
    if (isObject(type) && ('_context' in type || '_currentValue' in type)) provided = keysOf(at(props, 'value'));
    // A memo is a fiber of its own above the one of its component.
    if (!component || (component === last && isObject(type))) continue;
    last = component;
    const state = at(fiber, 'memoizedState');
    const isClass = at(component, 'prototype', 'isReactComponent');
    // What a component provides to those below it is its state, too.
    const stateKeys = [...(isClass ? keysOf(state) : []), ...provided];
    provided = [];
    yield describe(at(type, 'displayName') ?? at(component, 'displayName') ?? at(component, 'name'), props, stateKeys, stateKeys.length > 0 || hasHookState(state));
  }
}

/** The function or class inside memo and forwardRef; a lazy one has become it by the time it is shown. */
function unwrap(type: unknown): unknown {
  return isObject(type) ? unwrap(at(type, 'type') ?? at(type, 'render')) : isCallable(type) ? type : undefined;
}

/** Hooks are a list of which those with a queue hold state; their names are not kept. */
function hasHookState(first: unknown): boolean {
  return [...chain(first, 'next')].some(hook => isObject(at(hook, 'queue')));
}

function* walkVue(element: Element, origin: Element | null): Generator<Component> {
  for (const instance of chain(at(element, '__vueParentComponent') ?? findInstance(at(element, '_vnode'), origin), 'parent')) {
    const type = at(instance, 'type');
    const setup = at(instance, 'devtoolsRawSetupState');
    // What a setup imports is beside what it makes: components and functions are no state.
    const made = keysOf(setup).filter(key => !isCallable(at(setup, key)) && !at(setup, key, 'render') && !at(setup, key, 'setup'));
    yield describe(at(type, 'name') ?? at(type, '__name') ?? fileName(at(type, '__file')), at(instance, 'props'), [...keysOf(at(instance, 'data')), ...made]);
  }
}

/** A production build leaves no trace on elements but the root: look for the innermost component around one. */
function findInstance(vnode: unknown, target: Element | null, owner?: unknown): unknown {
  const component = at(vnode, 'component');
  if (component) return findInstance(at(component, 'subTree'), target, component);
  const shown = at(vnode, 'el');
  if ((isElement(shown) && !shown.contains(target)) || isLate()) return undefined;
  const children = at(vnode, 'children');
  for (const child of Array.isArray(children) ? children : []) {
    const found = findInstance(child, target, owner);
    if (found) return found;
  }
  return isElement(shown) ? owner : undefined;
}

/** Since version 5 an element knows what it is in; before, only its file. */
function* walkSvelte(element: Element): Generator<Component> {
  const meta = at(element, '__svelte_meta');
  if (!meta) return;
  yield describe(fileName(at(meta, 'loc', 'file')));
  for (const block of chain(at(meta, 'parent'), 'parent')) {
    if (at(block, 'type') === 'component') yield describe(fileName(at(block, 'file')));
  }
}

function fileName(path: unknown): string | undefined {
  return /([^/\\]+)\.\w+$/.exec(String(path))?.[1];
}
