// Through a function that the browser's driver put into the page: CSP does not matter to it.

import {stringify} from '../native';
import {quietlyLater} from '../patch';
import type {Batch, Transport} from '../sender';

export type Binding = (message: string) => unknown;

export function bindingTransport(binding: Binding): Transport {
  // Drivers that can answer confirm by resolving, the others by having taken the call.
  const send = async ({stream, body}: Batch): Promise<void> => void (await binding(stringify({route: stream.route, body})));
  return {
    send,
    sendLast(batch) {
      void quietlyLater(() => send(batch));
      return true;
    },
  };
}
