// What fetch, XMLHttpRequest and EventSource have in common: one exchange, described and judged.

import {logEntry} from './logEntry';
import {epochNow, isoTime, isText, now, pageUrl} from './native';
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
  headers: Headers;
  body: BodySeen;
  /** How long it must have waited to be told, the next time it is asked about. */
  toldFromMs?: number;
}

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
  return sink.isOwn(url) ? undefined : {method: method.toUpperCase(), url, startedAt: now(), startedEpoch: epochNow(), pageUrl: pageUrl(), headers, body};
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

function describe({method, pageUrl, headers, body, url, startedEpoch}: RequestSeen, response: Answer): NetworkBody {
  const ts = isoTime(startedEpoch);
  const sent = [...headers];
  const received = [...response.headers];
  // Few have anything to hide: one look at all of it is enough to know.
  const mayHide = maySaySecret(String([url, body.text, response.body.text, sent, received]));
  const shown = <T extends string | null>(text: T): T | string => (mayHide && text ? redactText(text) : text);
  const listed = (pairs: typeof sent): Record<string, string> => Object.fromEntries(mayHide ? hideSecrets(pairs) : pairs);
  return {
    ts,
    timestamp: ts,
    url: shown(url),
    pageUrl,
    method,
    status: response.status,
    contentType: response.contentType,
    requestBody: shown(body.text),
    responseBody: shown(response.body.text),
    requestTruncated: body.isCut,
    responseTruncated: response.body.isCut,
    requestHeaders: listed(sent),
    responseHeaders: listed(received),
    hasAuthHeader: hasAuthHeader(sent),
    duration: response.durationMs,
  };
}

export function absolute(url: string): string {
  try {
    return new URL(url, document.baseURI).href;
  } catch {
    return url;
  }
}
