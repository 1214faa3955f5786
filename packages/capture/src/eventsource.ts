// Streams of server-sent events: one exchange for each, with what came first.

import {get, pause} from './native';
import {RESPONSE_BODY_BYTES, cutBody, durationOf, reportExchange, reportFailure, seeRequest, type NetworkSink, type RequestSeen} from './network';
import {observeConstruction, on, quietlyLater, type Stop} from './patch';

const FIRST_EVENTS_MS = 1000;

export function captureEventSource(sink: NetworkSink): Stop {
  return observeConstruction(window, 'EventSource', source => {
    if (!(source instanceof EventSource)) return;
    const request = seeRequest(sink, 'GET', source.url, [['accept', 'text/event-stream']], {text: null});
    if (!request) return;
    // It connects again by itself: the first outcome is the one that counts.
    let known = false;
    on(source, 'open', () => {
      if (!known && sink.wantsSuccesses()) void quietlyLater(() => reportFirstEvents(sink, request, source));
      known = true;
    });
    on(source, 'error', () => {
      if (!known) reportFailure(sink, request, 'event stream refused', false);
      known = true;
    });
  });
}

async function reportFirstEvents(sink: NetworkSink, request: RequestSeen, source: EventSource): Promise<void> {
  const durationMs = durationOf(request);
  let events = '';
  const stop = on(source, 'message', event => {
    if (events.length <= RESPONSE_BODY_BYTES) events += `data: ${String(get(event, 'data'))}\n\n`;
  });
  await pause(FIRST_EVENTS_MS);
  stop();
  const body = {...cutBody(events, RESPONSE_BODY_BYTES), isCut: true};
  reportExchange(sink, request, {status: 200, contentType: 'text/event-stream', headers: [], body, durationMs});
}
