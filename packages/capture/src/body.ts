// Reading a body that belongs to the page: a bounded part of a copy, for a bounded time.

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
  const decoder = new TextDecoder();
  let text = '';
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
      text += decoder.decode(value.subarray(0, room), {stream: true});
      room -= value.byteLength;
      if (room < 0) giveUp();
    }
  } catch {
    isCut = true;
  }
  cancelLater(timer);
  return isCut ? {text, isCut} : {text: text + decoder.decode()};
}
