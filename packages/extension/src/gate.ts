// What leaves the page, before it is numbered and counted: everything waits here until somebody decides about it.

import type {Gate as Rule} from '../../capture/src/capture';
import type {Events} from '../../capture/src/streams';

// As many as the sender would queue.
const HELD = 10_000;

type Kind = keyof Events;

/** Whether one of this kind would pass, by its type, level and event. */
export type Admits = (kind: Kind, like: object) => boolean;

interface Missed {
  kind: Kind;
  like: object;
  count: number;
}

/** Holds what comes before there is a rule, then lets through what it admits. */
export class Gate {
  /** How many events found no room here that would have passed. */
  lost = 0;
  #rule: Rule | null = null;
  #held: (() => void)[] = [];
  readonly #missed = new Map<string, Missed>();

  open(rule: Rule, admits: Admits): void {
    this.#rule = rule;
    for (const {kind, like, count} of this.#missed.values()) if (admits(kind, like)) this.lost += count;
    this.#missed.clear();
    const held = this.#held;
    this.#held = [];
    held.forEach(admit => admit());
  }

  see<K extends Kind>(kind: K, payload: Events[K], pass: (passed: Events[K]) => void): void {
    if (this.#rule) this.#rule(kind, payload, pass);
    else if (this.#held.length < HELD) this.#held.push(() => this.see(kind, payload, pass));
    else this.#miss(kind, payload);
  }

  // Whether it would have passed is decided later, by all that decides it.
  #miss(kind: Kind, payload: object): void {
    const like = {type: Reflect.get(payload, 'type'), level: Reflect.get(payload, 'level'), event: Reflect.get(payload, 'event')};
    const key = [kind, ...Object.values(like)].map(String).join();
    const missed = this.#missed.get(key) ?? {kind, like, count: 0};
    missed.count++;
    this.#missed.set(key, missed);
  }
}
