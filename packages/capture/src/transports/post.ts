// Straight from the page to the server. Works where neither CSP nor Local Network Access forbids it.

import {bare, nativeFetch} from '../native';
import type {Transport} from '../sender';

const PATIENCE_MS = 5000;
// At most three bytes each.
const KEPT_CHARS = 20_000;
const TOO_MANY = 429;
const SERVER_FAILURE = 500;

export function postTransport(baseUrl: string, token: string | null): Transport {
  const query = token === null ? '' : `?token=${encodeURIComponent(token)}`;
  // Taken before the page can replace it. Some browsers are set to have none.
  const sendBeacon: typeof navigator.sendBeacon | undefined = navigator.sendBeacon?.bind(navigator);
  return {
    async send({to, body}) {
      const request: RequestInit = {
        method: 'POST',
        body,
        // A string goes as text/plain, which needs no preflight; the server reads JSON whatever the type says.
        credentials: 'omit',
        // Not beside beacons: the browser takes 64 KiB of the two together.
        keepalive: !sendBeacon && body.length < KEPT_CHARS,
        signal: AbortSignal.timeout(PATIENCE_MS),
      };
      const {status} = await nativeFetch(baseUrl + to.address + query, bare(request));
      // A refusal for its content will not change by asking again; a full server's will.
      if (status === TOO_MANY || status >= SERVER_FAILURE) throw new Error();
    },
    sendLast: batches => batches.filter(({to, body}) => sendBeacon?.(baseUrl + to.address + query, body)),
  };
}
