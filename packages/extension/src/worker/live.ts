// The line to the server: a WebSocket that also keeps the worker alive, or polling where there is none.

import {fieldsOf, listOf, parseJson, textOf, type Fields} from '../narrow';
import type {DebugLog} from './debugLog';
import type {Question} from './questions';
import type {Health, Server} from './server';
import {listTabs} from './tabs';

const PING_MS = 20_000;
const SILENCE_MS = 50_000;
const POLL_MS = 1000;
const RETRY_MS = 2000;
const OPENING_MS = 3000;
// Chrome makes whoever fails to open sockets wait for the next.
const SOCKET_RETRY_MS = 25_000;

export type Line = 'websocket' | 'polling' | 'none';

export interface LiveParts {
  server: Server;
  debugLog: DebugLog;
  version: string;
  session: () => Promise<string>;
  canDebug: boolean;
  answer: (question: Question) => Promise<unknown>;
  overrides: (overrides: Fields) => Promise<void>;
  /** Said whenever the line, or what is known of the server, changed. */
  changed: () => void;
  connected: () => void;
}

export class Live {
  line: Line = 'none';
  problem = '';
  health: Health | null = null;
  #socket: WebSocket | undefined;
  #heardAt = 0;
  #triedAt = 0;
  #connecting: Promise<void> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #answering = new Set<string>();

  constructor(readonly parts: LiveParts) {}

  /** Look whether the server is there, and open the line if it is not open. */
  connect(): Promise<void> {
    this.#connecting ??= this.#connect().finally(() => (this.#connecting = undefined));
    return this.#connecting;
  }

  /** The server may be another one now. */
  async reconnect(): Promise<void> {
    await this.#connecting;
    this.#hangUp();
    await this.connect();
  }

  async tellTabs(): Promise<void> {
    if (this.line === 'websocket') this.#say({type: 'tabs', tabs: await listTabs()});
  }

  async #connect(): Promise<void> {
    const wasConnected = this.line !== 'none';
    try {
      this.health = await this.parts.server.health();
      this.problem = '';
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
      this.health = null;
      this.#hangUp();
      this.#every(RETRY_MS, () => void this.connect());
      this.parts.changed();
      return;
    }
    if (this.line === 'none' || (this.line === 'polling' && Date.now() - this.#triedAt > SOCKET_RETRY_MS)) await this.#openSocket();
    if (this.line === 'none') this.#startPolling();
    if (this.line === 'polling') await this.#reportByPolling().catch(() => undefined);
    if (!wasConnected) this.parts.connected();
    this.parts.changed();
  }

  async #openSocket(): Promise<void> {
    this.#triedAt = Date.now();
    const socket = new WebSocket(await this.parts.server.liveAddress());
    const opened = await new Promise<boolean>(resolve => {
      socket.onopen = () => resolve(true);
      socket.onclose = () => resolve(false);
      setTimeout(() => resolve(false), OPENING_MS);
    });
    if (!opened) {
      socket.close();
      return;
    }
    this.#socket = socket;
    this.line = 'websocket';
    this.#heardAt = Date.now();
    socket.onmessage = event => this.#hear(textOf(event.data));
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#hangUp();
      void this.connect();
    };
    this.#every(PING_MS, () => this.#ping());
    const {version, session, canDebug} = this.parts;
    this.#say({type: 'hello', client: 'extension', version, session: await session(), debugger: canDebug, tabs: await listTabs()});
    this.parts.debugLog.note('connected', socket.url.replace(/\?.*$/, ''));
  }

  #ping(): void {
    if (Date.now() - this.#heardAt > SILENCE_MS) this.#socket?.close();
    else this.#say({type: 'ping'});
  }

  #hear(text: string): void {
    this.#heardAt = Date.now();
    const message = fieldsOf(parseJson(text));
    if (message['type'] === 'settings') void this.parts.overrides(fieldsOf(message['captureOverrides']));
    if (message['type'] !== 'question') return;
    const id = textOf(message['id']);
    const question = {question: textOf(message['question']), params: fieldsOf(message['params']), tabId: tabOf(message['tabId'])};
    void this.parts.answer(question).then(result => this.#say({type: 'answer', id, result}));
  }

  #say(message: Fields): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #hangUp(): void {
    clearInterval(this.#timer);
    if (this.line !== 'none') void this.parts.overrides({});
    const socket = this.#socket;
    this.#socket = undefined;
    this.line = 'none';
    socket?.close();
  }

  #startPolling(): void {
    this.line = 'polling';
    this.#every(POLL_MS, () => void this.#poll().catch(() => this.#lose()));
  }

  /** What `hello` and `settings` say on the socket. */
  async #reportByPolling(): Promise<void> {
    const {server, session, overrides} = this.parts;
    await server.request('POST', '/settings', JSON.stringify({session_id: await session(), settings: {}}));
    const answer = await server.request('GET', '/settings');
    await overrides(fieldsOf(fieldsOf(await answer.json())['capture_overrides']));
  }

  #lose(): void {
    if (this.line !== 'polling') return;
    this.#hangUp();
    void this.connect();
  }

  async #poll(): Promise<void> {
    // Asking Chrome anything counts as being alive; a fetch alone does not.
    await chrome.runtime.getPlatformInfo();
    const answer = await this.parts.server.request('GET', '/pending-queries');
    const {queries} = fieldsOf(await answer.json());
    for (const query of listOf(queries).map(fieldsOf)) void this.#answerPolled(query);
  }

  async #answerPolled({id, type, params, tab_id: tabId}: Fields): Promise<void> {
    if (typeof id !== 'string' || this.#answering.has(id)) return;
    this.#answering.add(id);
    const question = textOf(type);
    const result = await this.parts.answer({question, params: fieldsOf(params), tabId: tabOf(tabId)});
    const route = question === 'a11y' ? '/a11y-result' : '/dom-result';
    await this.parts.server.request('POST', route, JSON.stringify({id, result})).catch(() => undefined);
    this.#answering.delete(id);
  }

  #every(ms: number, run: () => void): void {
    clearInterval(this.#timer);
    this.#timer = setInterval(run, ms);
  }
}

function tabOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
