// From the page's sender through the content script to the worker, and the worker's receipt back.

import type {Transport} from '../../capture/src/sender';
import type {Channel} from './channel';

interface Waiting {
  resolve(): void;
  reject(reason: Error): void;
}

/**
 * `begun` is when sending may start: until then batches wait, but for the last ones. `lost` counts
 * what never became part of a batch.
 */
export function extensionTransport(channel: Channel, begun: Promise<void>, lost: () => number): Transport {
  const waiting = new Map<number, Waiting>();
  let lastNumber = 0;
  channel.hear('receipt', ({number, taken}) => {
    const sent = typeof number === 'number' ? waiting.get(number) : undefined;
    if (sent === undefined || typeof number !== 'number') return;
    waiting.delete(number);
    if (taken === true) sent.resolve();
    else sent.reject(new Error('the server is not there'));
  });
  return {
    async send({to, body}) {
      await begun;
      const number = ++lastNumber;
      await new Promise<void>((resolve, reject) => {
        waiting.set(number, {resolve, reject});
        channel.say('batch', {number, route: to.address, body, lost: lost()});
      });
    },
    sendLast(batches) {
      for (const {to, body} of batches) channel.say('last', {route: to.address, body, lost: lost()});
      return batches;
    },
  };
}
