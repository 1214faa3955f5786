// Getting a batch to the server: a few tries, then a pause for everybody.

import type {DebugLog} from './debugLog';
import type {Server} from './server';

const RETRY_MS = [100, 500, 2000];
const BREAKER_FAILURES = 5;
const BREAKER_PAUSE_MS = 30_000;

export class Delivery {
  #failures = 0;
  #pausedUntil = 0;
  #probing = false;

  constructor(
    readonly server: Pick<Server, 'request'>,
    readonly debugLog: DebugLog,
    /** Said at the first failure after a success. */
    readonly lost: () => void,
  ) {}

  get isPaused(): boolean {
    return this.#failures >= BREAKER_FAILURES && Date.now() < this.#pausedUntil;
  }

  /** Whether the server has the batch now. */
  async post(route: string, body: string): Promise<boolean> {
    for (const pause of [0, ...RETRY_MS]) {
      if (pause > 0) await new Promise(resolve => setTimeout(resolve, pause));
      if (!this.#mayTry()) return false;
      if (await this.#try(route, body)) return true;
    }
    return false;
  }

  /** The server is there again: no need to sit the pause out. */
  resume(): void {
    this.#failures = 0;
    this.#probing = false;
  }

  // Once the pause is over one batch goes ahead; the others follow when it arrived.
  #mayTry(): boolean {
    if (this.#failures < BREAKER_FAILURES) return true;
    if (this.#probing || Date.now() < this.#pausedUntil) return false;
    this.#probing = true;
    return true;
  }

  async #try(route: string, body: string): Promise<boolean> {
    try {
      const answer = await this.server.request('POST', route, body);
      if (answer.status === 401 || answer.status === 429 || answer.status >= 500) throw new Error(`${route} answered ${answer.status}`);
      // A refusal for its content will not change by asking again.
      if (!answer.ok) this.debugLog.note('refused', `${route}: ${answer.status} ${await answer.text()}`);
      this.resume();
      return true;
    } catch (error) {
      this.#failures++;
      this.#probing = false;
      if (this.#failures >= BREAKER_FAILURES) this.#pausedUntil = Date.now() + BREAKER_PAUSE_MS;
      this.debugLog.note('not delivered', String(error));
      if (this.#failures === 1) this.lost();
      return false;
    }
  }
}
