// From events to numbered batches that are known to have arrived, or known not to.

import {cancelLater, later, randomId, stringify} from './native';
import {quietly} from './patch';
import type {Stream} from './streams';

const FLUSH_MS = 100;
const BATCH_ITEMS = 50;
// At most three bytes each: the browser takes 64 KiB of beacons at a time, all together.
const BATCH_CHARS = 16_000;
const QUEUE_ITEMS = 10_000;
const QUEUE_BYTES = 3_000_000;
const RETRY_MS = [100, 500, 2000, 2000];
const BREAKER_PAUSE_MS = 30_000;

export interface Batch {
  stream: Stream;
  number: number;
  /** The request body, ready to send. */
  body: string;
}

export interface Transport {
  /** Deliver a batch; resolves once the server has it, rejects when it has not. */
  send(batch: Batch): Promise<void>;
  /** Hand over a batch on the way out of the page: whether it was taken. */
  sendLast(batch: Batch): boolean;
}

/** Queues what was captured, sends it in order, repeats what got no answer, counts what it gave up. */
export class Sender {
  readonly id = randomId('page');
  dropped = 0;
  readonly #queues = new Map<Stream, string[]>();
  #queuedItems = 0;
  #queuedBytes = 0;
  // Numbered and not yet confirmed. Only the next batch is numbered, so that what must be given up
  // while the server is away is an event counted as dropped, not a hole in the numbers.
  readonly #outbox = new Set<Batch>();
  #lastNumber = 0;
  #timer: number | undefined;
  #delivering: Promise<void> | undefined;
  #failures = 0;
  #stopped = false;

  readonly #transport: Transport;
  readonly #testId: () => string | null;

  constructor(transport: Transport, testId: () => string | null) {
    this.#transport = transport;
    this.#testId = testId;
  }

  add(stream: Stream, item: object): void {
    if (this.#stopped) return;
    const json = stringify(item);
    let queue = this.#queues.get(stream);
    if (queue === undefined) this.#queues.set(stream, (queue = []));
    queue.push(json);
    this.#queuedItems++;
    this.#queuedBytes += json.length;
    if (this.#queuedItems > QUEUE_ITEMS || this.#queuedBytes > QUEUE_BYTES) this.#makeRoom();
    // While the server is away, the next try is already set.
    if (this.#failures > 0) return;
    this.#wakeIn(FLUSH_MS);
    if (queue.length >= BATCH_ITEMS) void this.#deliver();
  }

  /** Resolves when everything added so far was delivered, or when the server does not answer. */
  async flush(): Promise<void> {
    await this.#delivering;
    await this.#deliver();
  }

  /** The page is going: hand everything over at once, to what outlives it. */
  leave(): void {
    for (let batch = this.#nextBatch(); batch; batch = this.#nextBatch()) this.#outbox.add(batch);
    for (const batch of this.#outbox) {
      if (quietly(() => this.#transport.sendLast(batch))) this.#outbox.delete(batch);
    }
    // What found no room, the page may still live long enough to send.
    if (this.#outbox.size > 0) void this.#deliver();
  }

  stop(): void {
    this.leave();
    this.#stopped = true;
  }

  // Batches go one after the other: the server numbers what it keeps in the order of arrival, and a
  // consequence must not come before its cause.
  async #deliver(): Promise<void> {
    const delivering = (this.#delivering ??= this.#deliverDue());
    await delivering;
    if (this.#delivering === delivering) this.#delivering = undefined;
  }

  // What is queued now; what comes meanwhile waits for its own time or for a full batch.
  async #deliverDue(): Promise<void> {
    if (this.#timer !== undefined) cancelLater(this.#timer);
    this.#timer = undefined;
    let due = this.#queuedItems;
    try {
      while (due > 0 || this.#outbox.size > 0 || this.#hasFullBatch()) {
        const before = this.#queuedItems;
        const [batch = this.#nextBatch()] = this.#outbox;
        if (!batch) break;
        due -= before - this.#queuedItems;
        this.#outbox.add(batch);
        await this.#transport.send(batch);
        this.#failures = 0;
        this.#outbox.delete(batch);
      }
    } catch {
      this.#wakeIn(RETRY_MS[this.#failures++] ?? BREAKER_PAUSE_MS);
    }
  }

  #hasFullBatch(): boolean {
    for (const queue of this.#queues.values()) if (queue.length >= BATCH_ITEMS) return true;
    return false;
  }

  #nextBatch(): Batch | undefined {
    for (const [stream, queue] of this.#queues) {
      if (queue.length === 0) continue;
      const items = this.#take(queue, countThatFit(queue));
      const number = ++this.#lastNumber;
      const envelope = stringify({sender: this.id, batch: number, dropped: this.dropped, test_id: this.#testId() ?? undefined});
      return {stream, number, body: `${envelope.slice(0, -1)},"${stream.list}":[${items.join(',')}]}`};
    }
    return undefined;
  }

  #makeRoom(): void {
    // The longest queue gives up its oldest: it is the one that floods.
    let longest: string[] = [];
    for (const queue of this.#queues.values()) if (queue.length > longest.length) longest = queue;
    this.dropped += this.#take(longest, Math.max(1, longest.length >> 3)).length;
  }

  #take(queue: string[], count: number): string[] {
    const items = queue.splice(0, count);
    this.#queuedItems -= items.length;
    for (const item of items) this.#queuedBytes -= item.length;
    return items;
  }

  #wakeIn(ms: number): void {
    this.#timer ??= later(() => {
      this.#timer = undefined;
      void this.#deliver();
    }, ms);
  }
}

function countThatFit(queue: readonly string[]): number {
  let chars = 0;
  let count = 0;
  for (const item of queue) {
    chars += item.length;
    if (count > 0 && (count >= BATCH_ITEMS || chars > BATCH_CHARS)) break;
    count++;
  }
  return count;
}
