// What fetch, XMLHttpRequest and EventSource have in common: one exchange, described and judged.

import {onFirstUse} from './lazy';
import {logEntry} from './logEntry';
import {epochNow, isoTime, isText, later, now, pageUrl} from './native';
import {quietly} from './patch';
import {isSecretName, maySaySecret, redactText} from './redact';
import type {LogEntry, NetworkBody} from './wire';

const REQUEST_BODY_BYTES = 8192;
export const RESPONSE_BODY_BYTES = 16_384;
export const FAILURE = 400;
const SERVER_FAILURE = 500;
// Longer than an answer usually takes: where only errors are wanted, what waits longer may be one.
const SUSPICIOUS_MS = 1000;
const BINARY = /^(image|audio|video|font)\/|octet-stream|wasm|zip|pdf|protobuf/i;
const AUTH_HEADERS = /^((proxy-)?authorization|x-api-key|x-auth-token|cookie)$/i;

export interface NetworkSink {
  /** Takes how to describe an exchange, not what comes of it: the page goes first with what it asked for. */
  exchange(describe: () => NetworkBody): void;
  log(entry: LogEntry): void;
  /** In mode `errors-only` a request that succeeded leaves no record, and no body is read for one. */
  wantsSuccesses(): boolean;
  /** Requests to the server itself are not the page's. */
  isOwn(url: string): boolean;
  /** A report that is still to come; it never rejects. */
  expect(report: Promise<void>): void;
  /** The page's requests without an outcome so far, each by what will have it. */
  readonly waiting: Map<unknown, RequestSeen>;
}

/** What capture itself asks for: not the page's own doing. */
export const askedFor = new Set<string>();

/** Gone through only when an exchange is described. */
export type Headers = Iterable<readonly [string, string]>;

export interface RequestSeen {
  method: string;
  url: string;
  startedAt: number;
  startedEpoch: number;
  pageUrl: string;
  /** What is told of it, without its secrets; made while its answer is on its way, when the page has nothing to do. */
  told: () => RequestTold;
  /** How long it must have waited to be told, the next time it is asked about. */
  toldFromMs?: number;
}

type RequestTold = Pick<NetworkBody, 'url' | 'requestBody' | 'requestTruncated' | 'requestHeaders' | 'hasAuthHeader'>;

export interface BodySeen {
  text: string | null;
  /** Said only when it is. */
  isCut?: boolean | undefined;
}

export const NO_BODY: BodySeen = {text: null};

export interface Answer {
  status: number;
  contentType: string;
  headers: Headers;
  body: BodySeen;
  durationMs: number;
}

export interface ResponseSeen extends Answer {
  statusText: string;
}

/** A request as it begins; undefined for our own. */
export function seeRequest(sink: NetworkSink, method: string, address: string, headers: Headers, body: BodySeen): RequestSeen | undefined {
  const url = absolute(address);
  if (sink.isOwn(url)) return undefined;
  const told = onFirstUse(() => describeRequest(url, headers, body));
  // Before the answer: the page may go elsewhere as soon as it has that.
  if (sink.wantsSuccesses()) later(() => quietly(told), 0);
  return {method: method.toUpperCase(), url, startedAt: now(), startedEpoch: epochNow(), pageUrl: pageUrl(), told};
}

export function durationOf(request: RequestSeen): number {
  return Math.round((now() - request.startedAt) * 10) / 10;
}

/** Report an exchange that got an answer. */
export function reportResponse(sink: NetworkSink, request: RequestSeen, response: ResponseSeen): void {
  reportExchange(sink, request, response);
  reportStatus(sink, request, response);
}

export function reportExchange(sink: NetworkSink, request: RequestSeen, response: Answer): void {
  if (response.status >= FAILURE || sink.wantsSuccesses()) sink.exchange(() => describe(request, response));
}

/** Log an answer that says no, when it comes: its body may take longer, and what is done meanwhile did not cause it. */
export function reportStatus(sink: NetworkSink, request: RequestSeen, {status, statusText, durationMs: duration}: Omit<ResponseSeen, 'body'>): void {
  const level = status >= SERVER_FAILURE ? 'error' : 'warn';
  if (status >= FAILURE) sink.log(describeFailure(request, String(status), {level, status, statusText, duration, metadata: {status, duration}}));
}

/** Report an exchange that got none. A request the page gave up itself is no error. */
export function reportFailure(sink: NetworkSink, request: RequestSeen, error: string, givenUp: boolean): void {
  const exchange = describeUnanswered(request);
  const {duration} = exchange;
  if (!givenUp) sink.exchange(() => ({...exchange, error}));
  else if (sink.wantsSuccesses()) sink.exchange(() => exchange);
  const level = givenUp ? 'info' : 'error';
  sink.log(describeFailure(request, `Network Error: ${error}`, {level, error, duration, metadata: {error, duration}}));
}

/**
 * Tell the requests that still wait: whatever ends now, a test or the page, may end because of them. Asked again, those
 * that waited twice as long since.
 */
export function reportUnanswered(sink: NetworkSink): void {
  for (const request of sink.waiting.values()) {
    const waitedMs = durationOf(request);
    if (waitedMs < (request.toldFromMs ?? (sink.wantsSuccesses() ? 0 : SUSPICIOUS_MS))) continue;
    request.toldFromMs = 2 * waitedMs;
    const exchange = describeUnanswered(request);
    sink.exchange(() => ({...exchange, pending: true}));
  }
}

function describeUnanswered(request: RequestSeen): NetworkBody {
  return describe(request, {status: 0, contentType: '', headers: [], body: NO_BODY, durationMs: durationOf(request)});
}

function describeFailure({method, url: address, pageUrl}: RequestSeen, outcome: string, fields: LogEntry): LogEntry {
  const url = redactText(address);
  return logEntry({type: 'network', url, pageUrl, method, message: `${method} ${url} → ${outcome}`, ...fields});
}

/** The words that stand for a body which is no text; null for one that is worth reading. */
export function standInFor(contentType: string, bytes: number | string | null): string | null {
  return BINARY.test(contentType) ? describeBinary(contentType, bytes) : null;
}

export function describeBinary(contentType: string, bytes: number | string | null): string {
  return `[Binary: ${bytes === null ? 'unknown size' : `${bytes} bytes`}, ${contentType.split(';', 1)[0] || 'unknown type'}]`;
}

/** What a page passes as a request body. Only text can be shown. */
export function describeRequestBody(body: unknown): BodySeen {
  if (body === undefined || body === null) return NO_BODY;
  if (isText(body) || body instanceof URLSearchParams) return cutBody(String(body), REQUEST_BODY_BYTES);
  return {text: '[non-string body]'};
}

/** As much of a text as fits into so many bytes of UTF-8. */
export function cutBody(text: string, bytes: number): BodySeen {
  // At most three bytes each.
  if (3 * text.length <= bytes) return {text};
  const {read} = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return read < text.length ? {text: text.slice(0, read), isCut: true} : {text};
}

// Header values that grant access become a mark; the others are kept.
function hideSecrets(pairs: readonly (readonly [string, string])[]): (readonly [string, string])[] {
  return pairs.map(([name, value]) => [name, isSecretName(name) ? '[REDACTED]' : redactText(value)]);
}

export function hasAuthHeader(headers: Headers): boolean {
  return [...headers].some(([name]) => AUTH_HEADERS.test(name));
}

/** What shows texts and headers as they may be told: few have anything to hide, and one look at all of it is enough to know. */
function hider(...all: unknown[]): {text(text: string | null): string | null; list(pairs: readonly (readonly [string, string])[]): Record<string, string>} {
  const mayHide = maySaySecret(String(all));
  return {
    text: text => (mayHide && text ? redactText(text) : text),
    list: pairs => Object.fromEntries(mayHide ? hideSecrets(pairs) : pairs),
  };
}

function describeRequest(url: string, headers: Headers, {text, isCut}: BodySeen): RequestTold {
  const sent = [...headers];
  const shown = hider(url, text, sent);
  return {
    url: shown.text(url) ?? url,
    requestBody: shown.text(text),
    requestTruncated: isCut,
    requestHeaders: shown.list(sent),
    hasAuthHeader: hasAuthHeader(sent),
  };
}

function describe({method, pageUrl, startedEpoch, told}: RequestSeen, {status, contentType, headers, body, durationMs}: Answer): NetworkBody {
  const ts = isoTime(startedEpoch);
  const received = [...headers];
  const shown = hider(body.text, received);
  return {
    ts,
    timestamp: ts,
    pageUrl,
    method,
    ...told(),
    status,
    contentType,
    responseBody: shown.text(body.text),
    responseTruncated: body.isCut,
    responseHeaders: shown.list(received),
    duration: durationMs,
  };
}

export function absolute(url: string): string {
  try {
    return new URL(url, document.baseURI).href;
  } catch {
    return url;
  }
}
