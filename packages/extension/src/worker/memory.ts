// How much the worker holds for others, and when that is too much.

const SOFT_BYTES = 20 * 2 ** 20;
const HARD_BYTES = 50 * 2 ** 20;

export type Pressure = 'normal' | 'soft' | 'hard';

export class Memory {
  #bytes = 0;

  get pressure(): Pressure {
    if (this.#bytes >= HARD_BYTES) return 'hard';
    return this.#bytes >= SOFT_BYTES ? 'soft' : 'normal';
  }

  /** Count a text for as long as some work takes. */
  async during<T>(text: string, work: () => Promise<T>): Promise<T> {
    this.#bytes += text.length;
    try {
      return await work();
    } finally {
      this.#bytes -= text.length;
    }
  }
}
