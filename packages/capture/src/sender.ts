// From events to numbered batches that are known to have arrived, or known not to.

import {onFirstUse} from './lazy';
import {cancelLater, get, later, parse, randomId, stringify} from './native';
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
  to: Stream;
  /** The request body, ready to send. */
  body: string;
}

export interface Transport {
  /** How many batches it takes at a time, if more than one. */
  atOnce?: number;
  /** How long events may wait for company, if longer than usual; errors wait no longer than they do. */
  pauseMs?: number;
  /** Whether what it is handed when the page is already gone comes too late. */
  leavesEarly?: boolean;
  /** Deliver batches; resolves once the server has them, rejects when it has not. */
  send(...batches: Batch[]): Promise<void>;
  /** Batches as whoever asks for them can take them, where there is somebody who asks. */
  write?(...batches: Batch[]): string;
  /** Hand over batches on the way out of the page: those that were taken. */
  sendLast(batches: Batch[]): Batch[];
}

/** How often a page that is about to close was asked for what it holds: again by who has not heard the first answer. */
export type Nth = 1 | 2;

export interface Sender {
  add(stream: Stream, item: object): void;
  /** Send something large as it is: it waits in no queue, of which it would take all the room. */
  addLarge(stream: Stream, item: object): void;
  /** Change an item that has not left yet, found by a part of its text: whether there was one. */
  amend(stream: Stream, part: string, change: (item: object) => object): boolean;
  /**
   * Resolves when everything added so far was delivered, or when the server does not answer; or with it, for somebody who
   * delivers it by hand. Asked for the second time it is all of it.
   */
  flush(nth?: Nth): Promise<string | undefined>;
  /** The page is going: hand everything over at once, to what outlives it. */
  leave(): void;
  undo(): void;
}

/** Queues what was captured, sends it in order, repeats what got no answer, counts what it gave up. */
export function makeSender(transport: Transport, testId: () => string | null): Sender {
  // One for each page load.
  const id = onFirstUse(() => randomId('page'));
  const queues = new Map<Stream, string[]>();
  let dropped = 0;
  let queuedItems = 0;
  let queuedBytes = 0;
  const {atOnce = 1, pauseMs = FLUSH_MS} = transport;
  // Numbered and not yet confirmed. Only what is sent next is numbered, so that what must be given up
  // while the server is away is an event counted as dropped, not a hole in the numbers.
  const outbox = new Set<Batch>();
  let lastNumber = 0;
  let timer: number | undefined;
  let isUrgent = false;
  let delivering: Promise<void> | undefined;
  let failures = 0;
  let stopped = false;
  let held: Batch[] = [];

  // Batches go one after the other: the server numbers what it keeps in the order of arrival, and a
  // consequence must not come before its cause.
  const deliver = async (): Promise<void> => {
    const current = (delivering ??= deliverDue());
    await current;
    if (delivering === current) delivering = undefined;
  };

  // What is queued now; what comes meanwhile waits for its own time or for a full batch.
  const deliverDue = async (): Promise<void> => {
    unset();
    isUrgent = false;
    let due = queuedItems;
    try {
      while (due > 0 || outbox.size > 0 || [...queues.values()].some(queue => queue.length >= BATCH_ITEMS)) {
        const before = queuedItems;
        const batches = fillOutbox(atOnce).slice(0, atOnce);
        if (!batches[0]) break;
        due -= before - queuedItems;
        await transport.send(...batches);
        failures = 0;
        for (const batch of batches) outbox.delete(batch);
      }
    } catch {
      wakeIn(RETRY_MS[failures++] ?? BREAKER_PAUSE_MS);
    }
  };

  /** The outbox, filled up to a number of batches. */
  const fillOutbox = (count: number): Batch[] => {
    for (const [stream, queue] of queues) while (queue[0] && outbox.size < count) outbox.add(numbered(stream, take(queue, countThatFit(queue))));
    return [...outbox];
  };

  const numbered = (stream: Stream, items: readonly string[]): Batch => {
    const envelope = stringify({sender: id(), batch: ++lastNumber, dropped, test_id: testId() ?? undefined});
    return {to: stream, body: `${envelope.slice(0, -1)},"${stream.list}":[${items.join(',')}]}`};
  };

  const makeRoom = (): void => {
    // The longest queue gives up its oldest: it is the one that floods.
    let longest: string[] = [];
    for (const queue of queues.values()) if (queue.length > longest.length) longest = queue;
    dropped += take(longest, longest.length >> 3 || 1).length;
  };

  const take = (queue: string[], count: number): string[] => {
    const items = queue.splice(0, count);
    queuedItems -= items.length;
    for (const item of items) queuedBytes -= item.length;
    return items;
  };

  const unset = (): void => {
    if (timer !== undefined) cancelLater(timer);
    timer = undefined;
  };

  const wakeIn = (ms: number): void => {
    timer ??= later(() => {
      timer = undefined;
      void deliverNext();
    }, ms);
  };

  // What comes while something is on its way is no part of it. What did not arrive is tried again in its own time.
  const deliverNext = async (): Promise<void> => {
    const before = delivering;
    await before;
    if (!before || !failures) await deliver();
  };

  const leave = (): void => {
    const batches = fillOutbox(Infinity);
    if (!batches[0]) return;
    for (const batch of quietly(() => transport.sendLast(batches)) ?? []) outbox.delete(batch);
    // What found no room, the page may still live long enough to send.
    void deliver();
  };

  return {
    add(stream, item) {
      if (stopped) return;
      const json = stringify(item);
      let queue = queues.get(stream);
      if (queue === undefined) queues.set(stream, (queue = []));
      queue.push(json);
      queuedItems++;
      queuedBytes += json.length;
      if (queuedItems > QUEUE_ITEMS || queuedBytes > QUEUE_BYTES) makeRoom();
      // While the server is away, the next try is already set.
      if (failures > 0) return;
      if (!isUrgent && get(item, 'level') === 'error') {
        isUrgent = true;
        unset();
      }
      wakeIn(isUrgent ? FLUSH_MS : pauseMs);
      if (queue.length >= BATCH_ITEMS) void deliver();
    },
    addLarge(stream, item) {
      if (stopped) return;
      outbox.add(numbered(stream, [stringify(item)]));
      void deliver();
    },
    amend(stream, part, change) {
      const queue = queues.get(stream) ?? [];
      const index = queue.findIndex(json => json.includes(part));
      const before = queue[index];
      if (before === undefined) return false;
      const after = stringify(change(parse(before)));
      queue[index] = after;
      queuedBytes += after.length - before.length;
      return true;
    },
    async flush(nth) {
      await delivering;
      if (nth && transport.write) {
        held = [...(nth > 1 ? held : []), ...fillOutbox(Infinity)];
        outbox.clear();
        return transport.write(...held);
      }
      await deliver();
    },
    leave,
    undo() {
      leave();
      stopped = true;
    },
  };
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
