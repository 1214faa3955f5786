// Requests made with fetch.

import {readBeginning} from './body';
import {get, isObject, pause} from './native';
import {
  FAILURE,
  NO_BODY,
  describeRequestBody,
  durationOf,
  reportExchange,
  reportFailure,
  reportStatus,
  seeRequest,
  standInFor,
  type BodySeen,
  type NetworkSink,
  type RequestSeen,
  type ResponseSeen,
} from './network';
import {look, patchMethod, quietly, quietlyLater, type Stop} from './patch';
import {brandOf, messageOf} from './serialize';

export function captureFetch(sink: NetworkSink): Stop {
  return patchMethod(window, 'fetch', (proceed, args) => {
    const request = look(() => describeRequest(sink, args));
    const answer = proceed();
    return request && isObject(answer) ? follow(sink, request, answer) : answer;
  });
}

// The page gets the promise that follows the original: watching that one from the side would mark
// its rejection as handled, and the page's `unhandledrejection` would never come. `await`, not
// `then`: the page may have put its own there.
async function follow(sink: NetworkSink, request: RequestSeen, answer: object): Promise<unknown> {
  let response: unknown;
  sink.waiting.set(answer, request);
  try {
    response = await answer;
  } catch (error) {
    quietly(() => reportFailure(sink, request, messageOf(error), isObject(error) && get(error, 'name') === 'AbortError'));
    throw error;
  } finally {
    sink.waiting.delete(answer);
  }
  quietly(() => seeResponse(sink, request, response));
  return response;
}

function describeRequest(sink: NetworkSink, [input, init]: readonly unknown[]): RequestSeen | undefined {
  const options = isObject(init) ? init : {};
  const original = isRequest(input) ? input : undefined;
  const method: unknown = get(options, 'method') ?? original?.method ?? 'GET';
  const headers: unknown = get(options, 'headers') ?? original?.headers;
  const body = quietly(() => describeRequestBody(get(options, 'body') ?? original?.body)) ?? {text: '[unreadable]'};
  return seeRequest(sink, String(method), original?.url ?? String(input), headerPairs(headers), body);
}

// By the brand: it may have been made in another frame.
function isRequest(value: unknown): value is Request {
  return brandOf(value) === 'Request';
}

function seeResponse(sink: NetworkSink, request: RequestSeen, response: unknown): void {
  if (!(response instanceof Response)) return;
  const {status, statusText, headers} = response;
  if (status < FAILURE && !sink.wantsSuccesses()) return;
  const contentType = headers.get('content-type') ?? '';
  const seen = {status, statusText, contentType, headers, durationMs: durationOf(request)};
  const text = standInFor(contentType, headers.get('content-length'));
  // An event stream never ends; an opaque answer has no body to show. Neither need wait for one to be read.
  const unread = text !== null || contentType.includes('event-stream') || response.body === null;
  reportStatus(sink, request, seen);
  if (unread) reportExchange(sink, request, {...seen, body: {text}});
  else {
    const copy = response.clone();
    sink.expect(quietlyLater(() => reportCopy(sink, request, seen, copy)));
  }
}

async function reportCopy(sink: NetworkSink, request: RequestSeen, seen: Omit<ResponseSeen, 'body'>, copy: Response): Promise<void> {
  // After the page had its turn with the response.
  await pause(0);
  const body: BodySeen = copy.body ? await readBeginning(copy.body) : NO_BODY;
  reportExchange(sink, request, {...seen, body});
}

/** Headers as pages write them: a Headers object, pairs, or a plain object. What can be gone through only once is the browser's. */
export function headerPairs(headers: unknown): [string, string][] {
  if (!isObject(headers)) return [];
  const pairs: unknown[] = isLasting(headers) ? [...headers] : Object.entries(headers);
  return pairs.flatMap((pair: unknown): [string, string][] => (Array.isArray(pair) ? [[String(pair[0]), String(pair[1])]] : []));
}

function isLasting(headers: unknown): headers is Iterable<unknown> {
  return /^(Array|Headers|Map)$/.test(brandOf(headers));
}
