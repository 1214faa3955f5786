// Any value of the page as plain data: bounded, and without surprise.

import {bare, get, isCallable, isIterable, isObject, isText, stringify} from './native';
import {quietly} from './patch';

const STRING_CHARS = 10_240;
const DEPTH = 10;
const ARRAY_ITEMS = 100;
const OBJECT_KEYS = 50;
// One value may not cost more than this, however it is shaped: a character is 1, a node 20.
const TOTAL_COST = 200_000;
const NODE_COST = 20;

const TRUNCATED = '... [truncated]';
const UNSERIALIZABLE = '[unserializable]';

interface Walk {
  ancestors: Set<object>;
  room: number;
}

/** Follow the rules of the contract for every kind of value; never throws. */
export function serialize(value: unknown): unknown {
  return serializeAll([value])[0];
}

/** The arguments of one call: together they cost no more than one value. */
export function serializeAll(values: readonly unknown[]): unknown[] {
  const walk = {ancestors: new Set<object>(), room: TOTAL_COST};
  return values.slice(0, ARRAY_ITEMS).map(value => visit(value, 0, walk));
}

export function cut(text: string, chars: number = STRING_CHARS): string {
  return text.length > chars ? text.slice(0, chars) + TRUNCATED : text;
}

/** A value in one line of text, as a message shows it; `plain` is its serialized form, if that is at hand. */
export function toText(value: unknown, plain: unknown = serialize(value)): string {
  if (!isObject(plain)) return String(plain);
  return quietly(() => isErrorLike(value)) ? `${String(get(plain, 'name'))}: ${String(get(plain, 'message'))}` : stringify(plain);
}

/** What an error says, or whatever was thrown in its place. */
export function messageOf(error: unknown): string {
  return textAt(error, 'message') || cut(toText(error));
}

export function textAt(holder: unknown, key: string): string {
  const text: unknown = isObject(holder) ? quietly(() => get(holder, key)) : undefined;
  return isText(text) ? cut(text) : '';
}

function visit(value: unknown, depth: number, walk: Walk): unknown {
  switch (typeof value) {
    case 'string': {
      const text = cut(value);
      walk.room -= text.length;
      return walk.room < 0 ? TRUNCATED : text;
    }
    case 'number':
      // JSON has no NaN and no infinities; as null they would be something else.
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
      return `${value}n`;
    case 'symbol':
      return value.toString();
    case 'function':
      return `[Function: ${nameOf(value)}]`;
    case 'object':
      return value === null ? null : visitObject(value, depth, walk);
    default:
      return value;
  }
}

function visitObject(value: object, depth: number, walk: Walk): unknown {
  if (walk.ancestors.has(value)) return '[Circular]';
  if (depth >= DEPTH) return '[max depth reached]';
  if ((walk.room -= NODE_COST) < 0) return TRUNCATED;
  walk.ancestors.add(value);
  try {
    return describe(value, depth, walk);
  } catch {
    return UNSERIALIZABLE;
  } finally {
    // A value seen twice side by side is shared, not circular.
    walk.ancestors.delete(value);
  }
}

// By the brand, not by `instanceof`: objects come from other frames too.
function describe(value: object, depth: number, walk: Walk): unknown {
  if (Array.isArray(value)) return visitItems(value, depth, walk);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return visitKeys(value, depth, walk);
  if (isErrorLike(value)) return describeError(value, depth, walk);
  const brand = brandOf(value);
  if (isNode(value, brand)) return `[${constructorOf(value)}: ${String(get(Node.prototype, 'nodeName', value))}]`;
  switch (brand) {
    case 'Date':
      return describeDate(value);
    case 'RegExp':
    case 'URL':
    case 'URLSearchParams':
      return cut(String(value));
    case 'Map':
      return {'[Map]': visitKeys(Object.fromEntries(first(value).map(describePair)), depth, walk)};
    case 'Set':
      return {'[Set]': visitItems(first(value), depth, walk)};
    case 'String':
    case 'Number':
    case 'Boolean':
      return visit(value.valueOf(), depth, walk);
    case 'Window':
      return '[Window]';
  }
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${brand}: ${value.byteLength} bytes]`;
  if (value instanceof Blob) return `[${brand}: ${value.size} bytes]`;
  const shown = visitKeys(value, depth, walk);
  // The browser's own objects keep what they hold to themselves.
  return brand === 'Object' || Object.keys(shown)[0] ? shown : `[${brand}]`;
}

function visitItems(items: readonly unknown[], depth: number, walk: Walk): unknown[] {
  const shown: unknown[] = [];
  for (let index = 0; index < items.length && index < ARRAY_ITEMS; index++) {
    shown.push(visitMember(items, index, depth, walk));
  }
  return shown;
}

function visitKeys(value: object, depth: number, walk: Walk): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  let count = 0;
  for (const key of Object.keys(value)) {
    if (++count > OBJECT_KEYS) break;
    walk.room -= key.length;
    const member = visitMember(value, key, depth, walk);
    // An own `__proto__` key must become data, not the prototype of what we send.
    if (key === '__proto__') Object.defineProperty(shown, key, bare({value: member, enumerable: true}));
    else shown[cut(key)] = member;
  }
  return shown;
}

function visitMember(holder: object, key: PropertyKey, depth: number, walk: Walk): unknown {
  try {
    return visit(get(holder, key), depth + 1, walk);
  } catch {
    return UNSERIALIZABLE;
  }
}

function describeDate(date: object): unknown {
  const time = Date.prototype.getTime.call(date);
  return Number.isNaN(time) ? 'Invalid Date' : new Date(time).toISOString();
}

function describePair(pair: unknown): [string, unknown] {
  return Array.isArray(pair) ? [toText(pair[0]), pair[1]] : ['', pair];
}

function describeError(error: object, depth: number, walk: Walk): Record<string, unknown> {
  const told: Record<string, unknown> = {};
  for (const key of ['name', 'message', 'stack']) told[key] = visitMember(error, key, depth, walk);
  const cause = visitMember(error, 'cause', depth, walk);
  if (cause !== undefined) told['cause'] = cause;
  return told;
}

function isErrorLike(value: unknown): value is Error {
  return value instanceof Error || brandOf(value) === 'Error';
}

function isNode(value: object, brand: string): boolean {
  return value instanceof Node || /^(HTML|SVG).*Element$|^(Text|Comment)$|Document/.test(brand);
}

export function brandOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

function first(items: object): unknown[] {
  const shown: unknown[] = [];
  if (!isIterable(items)) return shown;
  for (const item of items) {
    if (shown.length >= ARRAY_ITEMS) break;
    shown.push(item);
  }
  return shown;
}

function constructorOf(value: object): string {
  const made: unknown = quietly(() => value.constructor);
  return isCallable(made) ? nameOf(made) : brandOf(value);
}

function nameOf(value: object): string {
  const name: unknown = quietly(() => get(value, 'name'));
  return isText(name) && name !== '' ? name : 'anonymous';
}
