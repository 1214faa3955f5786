// What the server says it captured, or why nobody knows.

import {hasField, type Server} from './server';
import type {GasolineSnapshot} from './types';

const LISTS = ['logs', 'websocket_events', 'network_bodies'] as const;

export async function takeSnapshot(server: Server, testId: string, since: string | undefined): Promise<GasolineSnapshot> {
  const query = new URLSearchParams({test_id: testId});
  if (since !== undefined) query.set('since', since);
  try {
    const snapshot = await server.get(`/snapshot?${query}`);
    if (isSnapshot(snapshot)) return snapshot;
    return blind(`${server.url}/snapshot answered something else`);
  } catch (problem) {
    return blind(problem instanceof Error ? problem.message : String(problem));
  }
}

function isSnapshot(value: unknown): value is GasolineSnapshot {
  return hasField(value, 'timestamp') && hasField(value, 'stats') && LISTS.every(list => hasField(value, list) && Array.isArray(value[list]));
}

function blind(why: string): GasolineSnapshot {
  return {
    timestamp: new Date().toISOString(),
    logs: [],
    websocket_events: [],
    network_bodies: [],
    stats: {total_logs: 0, error_count: 0, warning_count: 0, network_failures: 0, ws_connections: 0},
    blind: why,
  };
}
