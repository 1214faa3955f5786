// Through a function that the browser's driver put into the page: CSP does not matter to it.

import {quietlyLater} from '../patch';
import type {Batch, Transport} from '../sender';

// Every call takes the driver about as long, whatever it carries; six streams may have something to say.
const AT_ONCE = 6;
// And it takes the test that long too: pages of a test rarely live for longer than this between two of its steps.
const PAUSE_MS = 500;

export type Binding = (message: string) => unknown;

export function bindingTransport(binding: Binding): Transport {
  // A line for each batch.
  const write = (...batches: Batch[]): string => batches.map(({to, body}) => to.address + body).join('\n');
  // Drivers that can answer confirm by resolving, the others by having taken the call.
  const send = async (...batches: Batch[]): Promise<void> => void (await binding(write(...batches)));
  return {
    atOnce: AT_ONCE,
    pauseMs: PAUSE_MS,
    leavesEarly: true,
    send,
    write,
    sendLast(batches) {
      void quietlyLater(() => send(...batches));
      return batches;
    },
  };
}
