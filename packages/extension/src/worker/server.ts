// The server as the worker asks it: one address, one token, one patience.

import {fieldsOf, type Fields} from '../narrow';
import type {Settings} from '../settings';

const PATIENCE_MS = 5000;

export interface Health {
  version: string;
  entries: number;
  maxEntries: number;
  logFile: string;
}

export class Server {
  constructor(readonly settings: () => Promise<Settings>) {}

  async request(method: string, path: string, body?: string): Promise<Response> {
    const {serverUrl, serverToken} = await this.settings();
    return fetch(serverUrl + path, {
      method,
      ...(body === undefined ? {} : {body}),
      // text/plain needs no preflight; the server reads JSON whatever the type says.
      headers: {'Content-Type': 'text/plain;charset=UTF-8', ...(serverToken ? {'X-Gasoline-Key': serverToken} : {})},
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  }

  async liveAddress(): Promise<string> {
    const {serverUrl, serverToken} = await this.settings();
    const query = serverToken ? `?token=${encodeURIComponent(serverToken)}` : '';
    return `${serverUrl.replace(/^http/, 'ws')}/live${query}`;
  }

  /** How the server is; throws with a reason the user can act on. */
  async health(): Promise<Health> {
    const {serverUrl} = await this.settings();
    const answer = await this.request('GET', '/health').catch(() => {
      throw new Error(`Nothing answers at ${serverUrl}.`);
    });
    if (answer.status === 401) throw new Error('The server asks for a token: enter it in the options.');
    const said = fieldsOf(await answer.json().catch(() => undefined));
    if (!answer.ok || !('status' in said)) throw new Error(`Something other than Gasoline answers at ${serverUrl}.`);
    return describe(said);
  }
}

function describe(said: Fields): Health {
  return {
    version: String(said['version'] ?? ''),
    entries: Number(said['entries'] ?? 0),
    maxEntries: Number(said['maxEntries'] ?? 0),
    logFile: String(said['logFile'] ?? ''),
  };
}
