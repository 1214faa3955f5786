// What the worker itself has to log: counted repeats, screenshots. It is a sender like any page.

import {numberOf, type Fields} from '../narrow';
import {SessionValue} from './sessionValue';
import type {Letter} from './waiting';

/** The name of this browser session, for as long as it lasts. */
const session = new SessionValue<string>('session', stored => (typeof stored === 'string' ? stored : crypto.randomUUID()));
const lastBatch = new SessionValue<number>('lastBatch', stored => numberOf(stored));

export function sessionId(): Promise<string> {
  return session.update(id => id);
}

export async function letterOf(entries: Fields[]): Promise<Letter> {
  const [id, batch] = await Promise.all([sessionId(), lastBatch.update(number => number + 1)]);
  return {route: '/logs', body: JSON.stringify({sender: `extension-${id}`, batch, dropped: 0, entries})};
}
