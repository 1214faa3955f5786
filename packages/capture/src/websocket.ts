// WebSockets: their life, and as many of their messages as stay readable.

import {epochNow, get, isoTime, isText, now, randomId} from './native';
import {observeCalls, observeConstruction, on, stopAll, type Stop} from './patch';
import {redactText} from './redact';
import type {WebSocketEvent} from './wire';

const DATA_CHARS = 10_240;
const HEX_PREVIEW_BYTES = 256;
const MAGIC_BYTES = 4;
const ALWAYS_FIRST = 5;
const WINDOW_MS = 5000;
const SECOND_MS = 1000;

// From this many messages a second on, about so many of them are written down.
const STEPS = [
  {from: 200, keep: 2},
  {from: 50, keep: 5},
  {from: 10, keep: 10},
] as const;

export interface WebSocketOptions {
  emit: (event: WebSocketEvent) => void;
  isOwn: (url: string) => boolean;
  /** In mode `lifecycle` messages are left out. */
  wantsMessages: () => boolean;
}

type Direction = 'incoming' | 'outgoing';
type See = (direction: Direction, data: unknown) => void;

export function captureWebSocket({emit, isOwn, wantsMessages}: WebSocketOptions): Stop {
  const watched = new WeakMap<WebSocket, See>();
  return stopAll([
    observeConstruction(window, 'WebSocket', socket => {
      if (socket instanceof WebSocket && !isOwn(socket.url)) watched.set(socket, watch(socket, emit, wantsMessages));
    }),
    observeCalls(WebSocket.prototype, 'send', ([data], socket) => {
      // Before and after it is open, nothing is sent.
      if (socket instanceof WebSocket && socket.readyState === WebSocket.OPEN) watched.get(socket)?.('outgoing', data);
    }),
  ]);
}

function watch(socket: WebSocket, emit: (event: WebSocketEvent) => void, wantsMessages: () => boolean): See {
  const id = randomId('ws');
  const url = redactText(socket.url);
  const tell = (event: string, fields?: WebSocketEvent): void => emit({type: 'websocket', event, id, url, ts: isoTime(epochNow()), ...fields});
  const admit = {incoming: makeSampler(), outgoing: makeSampler()};
  const see: See = (direction, data) => {
    if (!wantsMessages()) return;
    const sampled = admit[direction](data);
    if (sampled !== false) tell('message', {direction, ...describeData(data), sampled: sampled ?? undefined});
  };
  tell('connecting');
  on(socket, 'open', () => tell('open'));
  on(socket, 'message', event => see('incoming', get(event, 'data')));
  on(socket, 'error', () => tell('error'));
  on(socket, 'close', event => event instanceof CloseEvent && tell('close', {code: event.code, reason: event.reason}));
  return see;
}

type Sampling = NonNullable<WebSocketEvent['sampled']>;

/**
 * Thin out a busy connection: the first messages and every new shape are always kept. Says whether to
 * write a message down: false, or how the connection is sampled (null: not at all).
 */
export function makeSampler(): (data: unknown, at?: number) => Sampling | null | false {
  let seen = 0;
  let windowStart = -Infinity;
  let inWindow = 0;
  let rate = 0;
  let skipped = 0;
  let lastKept = 0;
  const shapes = new Set<string>();

  // A burst counts at once, a lull only after a second.
  const measure = (at: number): void => {
    inWindow++;
    const elapsed = at - windowStart;
    rate = elapsed < SECOND_MS ? Math.max(rate, inWindow) : (inWindow * SECOND_MS) / elapsed;
    if (elapsed < WINDOW_MS) return;
    windowStart = at;
    inWindow = 0;
  };

  const isNewShape = (data: unknown): boolean => {
    if (!isText(data) || !data.startsWith('{') || shapes.size >= 20) return false;
    // The keys of the beginning tell messages apart well enough without parsing each.
    const shape = (data.slice(0, 200).match(/"[^"]{1,40}"\s*:/g) ?? []).join();
    const known = shapes.size;
    return shapes.add(shape).size > known;
  };

  return (data, at = now()) => {
    seen++;
    measure(at);
    const keepPerSecond = STEPS.find(step => rate >= step.from)?.keep;
    const isKept = seen <= ALWAYS_FIRST || keepPerSecond === undefined || isNewShape(data) || at - lastKept >= SECOND_MS / keepPerSecond;
    if (!isKept) {
      skipped++;
      return false;
    }
    const sampled = {rate: `${rate.toFixed(1)}/s`, logged: `1/${skipped + 1}`, window: '5s', skipped};
    lastKept = at;
    skipped = 0;
    return keepPerSecond === undefined && sampled.skipped === 0 ? null : sampled;
  };
}

function describeData(data: unknown): WebSocketEvent {
  if (isText(data)) {
    const size = data.length;
    return {data: redactText(data.slice(0, DATA_CHARS)), size, truncated: size > DATA_CHARS || undefined};
  }
  if (data instanceof Blob) return {data: `[Binary: ${data.size}B]`, size: data.size};
  if (data instanceof ArrayBuffer) return describeBytes(new Uint8Array(data));
  if (ArrayBuffer.isView(data)) return describeBytes(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return {data: '[Binary]', size: 0};
}

function describeBytes(bytes: Uint8Array): WebSocketEvent {
  const size = bytes.byteLength;
  if (size < HEX_PREVIEW_BYTES) return {data: `[Binary: ${size}B] ${hex(bytes)}`, size};
  return {data: `[Binary: ${size}B, magic:${hex(bytes.subarray(0, MAGIC_BYTES))}]`, size};
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}
