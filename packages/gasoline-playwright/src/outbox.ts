// What the server is told: in order, and as much at once as comes together, because each request takes the test some of its time.

import {setTimeout as pause} from 'node:timers/promises';

import type {Server} from './server';

// How long something waits for company, unless it is urgent.
const COMPANY_MS = 250;
// Of at most three bytes each; the server takes up to 5 MiB.
const REQUEST_CHARS = 1_000_000;
const HELD_CHARS = 32_000_000;
const RETRY_MS = [50, 250, 1000];

export class Outbox {
  readonly #server: Server;
  #waiting: string[] = [];
  #heldChars = 0;
  #timer: NodeJS.Timeout | undefined;
  #delivering: Promise<unknown> = Promise.resolve();
  // A server that was away the last time gets one chance: nobody waits for it again and again.
  #isDown = false;

  constructor(server: Server) {
    this.#server = server;
  }

  /** Tell the server, a line each: a route, perhaps a space and a page's origin, and a JSON object. Throws when too much waits. */
  tell(lines: readonly string[], {isUrgent = false} = {}): void {
    const chars = lengthOf(lines);
    if (this.#heldChars + chars > HELD_CHARS) throw new Error('more waits for the server than is kept');
    this.#heldChars += chars;
    this.#waiting.push(...lines);
    if (isUrgent) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), COMPANY_MS);
  }

  /** Ask the server something, once it has everything so far. */
  ask<T>(question: () => Promise<T>): Promise<T> {
    this.#send();
    const answer = this.#delivering.then(question);
    this.#delivering = answer.catch(() => undefined);
    return answer;
  }

  /** Wait until the server has everything so far, or did not take it. */
  async settle(): Promise<void> {
    this.#send();
    await this.#delivering;
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#waiting;
    this.#waiting = [];
    for (const request of inRequests(lines)) this.#delivering = this.#delivering.then(() => this.#deliver(request));
  }

  async #deliver(lines: readonly string[]): Promise<void> {
    let left = lines;
    for (const pauseMs of this.#isDown ? [0] : [0, ...RETRY_MS]) {
      if (pauseMs) await pause(pauseMs);
      const taken = await this.#server.deliver(left).catch(() => 0);
      left = left.slice(taken);
      if (!left[0]) break;
    }
    this.#isDown = left.length > 0;
    this.#heldChars -= lengthOf(lines);
  }
}

function inRequests(lines: readonly string[]): string[][] {
  const requests: string[][] = [];
  let room = 0;
  for (const line of lines) {
    room -= line.length;
    const last = requests.at(-1);
    if (last && room >= 0) last.push(line);
    else {
      requests.push([line]);
      room = REQUEST_CHARS - line.length;
    }
  }
  return requests;
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0);
}
