// Talking to the server: short, and over once it stops answering.

import {Agent, request} from 'node:http';

const HOST = process.env.GASOLINE_HOST || '127.0.0.1';
/** As an address of the web has it. */
export const HOST_NAME = HOST.includes(':') ? `[${HOST}]` : HOST;
// Long enough for a machine that is short of processor time.
const PATIENCE_MS = 3000;
// A server that hangs costs one test its patience, not every call of every test.
const TIMEOUTS_ALLOWED = 2;
const PAUSE_MS = 10_000;
// The server hangs up after five idle seconds; an idle connection keeps no process alive.
const CONNECTIONS = new Agent({keepAlive: true, timeout: 2000});
const EVIDENCE = '/evidence';
const LATE = new Error('the server did not answer in time');
const OK = 200;
const TOO_MANY = 429;
const SERVER_FAILURE = 500;

export interface Answer {
  status: number;
  text: string;
}

export interface Boundary {
  test_id: string;
  action: 'start' | 'end';
  attempt?: number;
  status?: string;
  duration_ms?: number;
  message?: string;
}

export class Server {
  readonly port: number;
  readonly url: string;
  readonly #token: string | undefined;
  /** Which browser the evidence is of, said as that browser's own requests would. */
  userAgent: string | undefined;
  #timeouts = 0;
  #pausedUntil = 0;

  constructor(port: number) {
    this.port = port;
    this.url = `http://${HOST_NAME}:${port}`;
    this.#token = process.env.GASOLINE_TOKEN;
  }

  async answers(): Promise<boolean> {
    try {
      return (await this.#send('GET', '/health', undefined)).status === OK;
    } catch {
      return false;
    }
  }

  /** Hand over lines of evidence: how many of them need not be sent again; rejects when none was looked at. */
  async deliver(lines: readonly string[]): Promise<number> {
    const {status, text} = await this.ask('POST', EVIDENCE, lines.join('\n'));
    if (status >= SERVER_FAILURE) throw new Error(`${EVIDENCE} answered ${status}`);
    if (status !== TOO_MANY) return lines.length;
    const answer: unknown = JSON.parse(text);
    return hasField(answer, 'taken') ? Number(answer.taken) : 0;
  }

  /** Mark a boundary; says whether the test was running. */
  async mark(boundary: Boundary): Promise<boolean> {
    const {text} = await this.ask('POST', '/test-boundary', JSON.stringify(boundary));
    return hasField(JSON.parse(text), 'attempt');
  }

  async clear(testId: string): Promise<void> {
    await this.ask('POST', '/clear', JSON.stringify({test_id: testId}));
  }

  async get(path: string): Promise<unknown> {
    const {status, text} = await this.ask('GET', path, undefined);
    if (status !== OK) throw new Error(`${path} answered ${status}: ${text.slice(0, 200)}`);
    return JSON.parse(text);
  }

  async ask(method: string, path: string, body: string | undefined): Promise<Answer> {
    if (Date.now() < this.#pausedUntil) throw new Error(`${this.url} did not answer a moment ago`);
    try {
      const answer = await this.#send(method, path, body);
      this.#timeouts = 0;
      return answer;
    } catch (problem) {
      if (problem === LATE && ++this.#timeouts >= TIMEOUTS_ALLOWED) this.#pausedUntil = Date.now() + PAUSE_MS;
      throw problem;
    }
  }

  #send(method: string, path: string, body: string | undefined): Promise<Answer> {
    const headers: Record<string, string> = {'content-type': 'application/json'};
    if (this.#token) headers.authorization = `Bearer ${this.#token}`;
    if (this.userAgent) headers['user-agent'] = this.userAgent;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => asked.destroy(LATE), PATIENCE_MS);
      const asked = request({host: HOST, port: this.port, method, path, headers, agent: CONNECTIONS}, answer => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => (text += part));
        answer.on('end', () => resolve({status: answer.statusCode ?? 0, text}));
        answer.on('error', reject);
      });
      asked.on('error', reject);
      asked.on('close', () => clearTimeout(timer));
      asked.end(body);
    });
  }
}

export function hasField<K extends string>(value: unknown, name: K): value is Record<K, unknown> {
  return typeof value === 'object' && value !== null && name in value;
}

/** The port that the environment names, or the usual one. */
export function portFromEnvironment(): number {
  return Number(process.env.GASOLINE_PORT) || 7890;
}
