// Batches of pages that are gone, kept until the server is back. Pages that are open keep their own.

import {fieldsOf, listOf, textOf} from '../narrow';
import {SessionValue} from './sessionValue';
import type {Pressure} from './memory';

const BATCHES = 1000;
// Chrome gives all session values together ten megabytes.
const BYTES = 4_000_000;

export interface Letter {
  route: string;
  body: string;
}

export class Waiting {
  readonly #letters = new SessionValue<Letter[]>('waiting', stored =>
    listOf(stored)
      .map(fieldsOf)
      .map(({route, body}) => ({route: textOf(route), body: textOf(body)})),
  );

  async count(): Promise<number> {
    return (await this.#letters.read()).length;
  }

  /** Keep a batch; the oldest give way. The gap in their page's numbers tells the server. */
  async keep(letter: Letter, pressure: Pressure): Promise<void> {
    const share = pressure === 'normal' ? 1 : 2;
    await this.#letters.update(letters => newest([...letters, letter], BATCHES / share, BYTES / share));
  }

  /** Hand over what waits, oldest first, as long as it is taken. */
  async deliver(post: (letter: Letter) => Promise<boolean>): Promise<void> {
    for (const letter of await this.#letters.read()) {
      if (!(await post(letter))) return;
      await this.#letters.update(letters => letters.filter(waiting => waiting !== letter));
    }
  }
}

function newest(letters: readonly Letter[], count: number, bytes: number): Letter[] {
  let room = bytes;
  const kept: Letter[] = [];
  for (const letter of letters.toReversed()) {
    room -= letter.body.length;
    if (kept.length >= count || room < 0) break;
    kept.unshift(letter);
  }
  return kept;
}
