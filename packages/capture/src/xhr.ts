// Requests made with XMLHttpRequest.

import {encode} from './native';
import {
  NO_BODY,
  RESPONSE_BODY_BYTES,
  cutBody,
  describeBinary,
  describeRequestBody,
  durationOf,
  reportFailure,
  reportResponse,
  seeRequest,
  standInFor,
  type BodySeen,
  type NetworkSink,
  type RequestSeen,
  type ResponseSeen,
} from './network';
import {look, observeCalls, on, patchMethod, quietly, stopAll, type Stop} from './patch';

const FAILURES = ['error', 'timeout', 'abort'];

interface Opened {
  method: string;
  url: string;
  headers: [string, string][];
}

export function captureXhr(sink: NetworkSink): Stop {
  const opened = new WeakMap<XMLHttpRequest, Opened>();
  const prototype = XMLHttpRequest.prototype;
  const end = (xhr: XMLHttpRequest, failure?: string): void => {
    const request = sink.waiting.get(xhr);
    if (!request) return;
    sink.waiting.delete(xhr);
    if (failure) reportFailure(sink, request, failure, failure === 'abort');
    else reportResponse(sink, request, describeResponse(request, xhr));
  };
  const follow = (xhr: XMLHttpRequest): void => {
    // Not `load`: a page may open the same object again when it hears that.
    on(xhr, 'readystatechange', () => xhr.readyState === XMLHttpRequest.DONE && xhr.status > 0 && end(xhr));
    for (const failure of FAILURES) on(xhr, failure, () => end(xhr, failure));
  };
  return stopAll([
    observeCalls(prototype, 'open', ([method, url], xhr) => {
      if (!isXhr(xhr)) return;
      if (!opened.has(xhr)) follow(xhr);
      opened.set(xhr, {method: String(method), url: String(url), headers: []});
    }),
    observeCalls(prototype, 'setRequestHeader', ([name, value], xhr) => {
      if (isXhr(xhr)) opened.get(xhr)?.headers.push([String(name), String(value)]);
    }),
    patchMethod(prototype, 'send', (proceed, [body], xhr) => {
      look(() => {
        // One that was sent already throws instead.
        const known = isXhr(xhr) && xhr.readyState === XMLHttpRequest.OPENED && opened.get(xhr);
        const request = known && seeRequest(sink, known.method, known.url, known.headers, describeRequestBody(body));
        if (request) sink.waiting.set(xhr, request);
      });
      try {
        return proceed();
      } catch (error) {
        // A synchronous request that fails throws and fires nothing.
        quietly(() => error instanceof DOMException && error.name !== 'InvalidStateError' && isXhr(xhr) && end(xhr, error.message));
        throw error;
      }
    }),
  ]);
}

function isXhr(value: unknown): value is XMLHttpRequest {
  return value instanceof XMLHttpRequest;
}

function describeResponse(request: RequestSeen, xhr: XMLHttpRequest): ResponseSeen {
  const contentType = xhr.getResponseHeader('content-type') ?? '';
  return {
    status: xhr.status,
    statusText: xhr.statusText,
    contentType,
    headers: parseHeaders(xhr.getAllResponseHeaders()),
    body: readResponse(xhr, contentType),
    durationMs: durationOf(request),
  };
}

function readResponse(xhr: XMLHttpRequest, contentType: string): BodySeen {
  const {responseType, response} = xhr;
  if (responseType === '' || responseType === 'text') {
    const text = standInFor(contentType, xhr.getResponseHeader('content-length'));
    return text === null ? cutBody(xhr.responseText, RESPONSE_BODY_BYTES) : {text};
  }
  if (responseType === 'json') return response === null ? NO_BODY : cutBody(encode(response, RESPONSE_BODY_BYTES), RESPONSE_BODY_BYTES);
  const bytes = response instanceof ArrayBuffer ? response.byteLength : response instanceof Blob ? response.size : null;
  return bytes === null ? NO_BODY : {text: describeBinary(contentType, bytes)};
}

function parseHeaders(block: string): [string, string][] {
  return block
    .split('\r\n')
    .filter(line => line !== '')
    .map((line): [string, string] => {
      const [name = '', ...value] = line.split(': ');
      return [name, value.join(': ')];
    });
}
