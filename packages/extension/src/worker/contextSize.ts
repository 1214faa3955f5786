// Annotations ride on every error: a page that keeps megabytes in them should be told.

import type {Fields} from '../narrow';

const HEAVY_BYTES = 20_480;
const ENOUGH = 3;
const WINDOW_MS = 60_000;

export class ContextSize {
  #heavy: {at: number; bytes: number}[] = [];

  see({_context: context}: Fields): void {
    const bytes = context === undefined ? 0 : JSON.stringify(context).length;
    if (bytes > HEAVY_BYTES) this.#heavy = [...this.#recent, {at: Date.now(), bytes}].slice(-ENOUGH);
  }

  /** How large they are, if several errors in a minute were heavy with them; else 0. */
  get heavyBytes(): number {
    const recent = this.#recent;
    return recent.length >= ENOUGH ? Math.max(...recent.map(({bytes}) => bytes)) : 0;
  }

  forget(): void {
    this.#heavy = [];
  }

  get #recent(): {at: number; bytes: number}[] {
    return this.#heavy.filter(({at}) => Date.now() - at < WINDOW_MS);
  }
}
