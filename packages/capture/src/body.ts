// Reading a body that belongs to the page: a bounded part of a copy, for a bounded time.

import {onFirstUse} from './lazy';
import {cancelLater, later} from './native';
import {RESPONSE_BODY_BYTES, type BodySeen} from './network';
import {quietlyLater} from './patch';

const PATIENCE_MS = 1000;

/**
 * Read the beginning of a copied response without keeping its connection open: a stream that does
 * not end is reported with what came within a second.
 */
export async function readBeginning(stream: ReadableStream<Uint8Array>, bytes: number = RESPONSE_BODY_BYTES, patienceMs: number = PATIENCE_MS): Promise<BodySeen> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let room = bytes;
  let isCut = false;
  const giveUp = (): void => {
    isCut = true;
    void quietlyLater(() => reader.cancel());
  };
  const timer = later(giveUp, patienceMs);
  try {
    while (!isCut) {
      const {done, value} = await reader.read();
      if (done) break;
      chunks.push(value.subarray(0, room));
      room -= value.byteLength;
      if (room < 0) giveUp();
    }
  } catch {
    isCut = true;
  }
  cancelLater(timer);
  const text = decode(chunks, isCut);
  return isCut ? {text, isCut} : {text};
}

const decoder = onFirstUse(() => new TextDecoder());

/** The text of some bytes; of a cut one, without the letter that it was cut in. */
function decode(chunks: readonly Uint8Array[], isCut: boolean): string {
  let text = '';
  for (const chunk of chunks) text += decoder().decode(chunk, {stream: true});
  const rest = decoder().decode();
  return isCut ? text : text + rest;
}
