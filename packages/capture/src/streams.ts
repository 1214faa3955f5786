// Where each kind of record goes, as the server's own table has it.

import type {DomSnapshot, EnhancedAction, LogEntry, NetworkBody, PerformanceSnapshot, WebSocketEvent} from './wire';

export interface Stream {
  address: string;
  list: string;
}

export const LOGS: Stream = {address: '/logs', list: 'entries'};
export const WEBSOCKET_EVENTS: Stream = {address: '/websocket-events', list: 'events'};
export const NETWORK_BODIES: Stream = {address: '/network-bodies', list: 'bodies'};
export const ENHANCED_ACTIONS: Stream = {address: '/enhanced-actions', list: 'actions'};
export const PERFORMANCE_SNAPSHOTS: Stream = {address: '/performance-snapshots', list: 'snapshots'};
export const DOM_SNAPSHOTS: Stream = {address: '/dom-snapshots', list: 'snapshots'};

/** A log entry, or a part of the source map of a script. */
export interface ToldEntry extends LogEntry {
  map?: string;
  part?: number;
  parts?: number;
}

/** Everything capture can say. */
export interface Events {
  log: ToldEntry;
  socket: WebSocketEvent;
  network: NetworkBody;
  action: EnhancedAction;
  load: PerformanceSnapshot;
  dom: DomSnapshot;
}

export const STREAM_OF: Record<keyof Events, Stream> = {
  log: LOGS,
  socket: WEBSOCKET_EVENTS,
  network: NETWORK_BODIES,
  action: ENHANCED_ACTIONS,
  load: PERFORMANCE_SNAPSHOTS,
  dom: DOM_SNAPSHOTS,
};

export type Emit = <K extends keyof Events>(kind: K, payload: Events[K]) => void;
