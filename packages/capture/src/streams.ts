// Where each kind of record goes, as the server's own table has it.

import type {DomSnapshot, EnhancedAction, LogEntry, NetworkBody, PerformanceSnapshot, WebSocketEvent} from './wire';

export interface Stream {
  route: string;
  list: string;
}

export const LOGS: Stream = {route: '/logs', list: 'entries'};
export const WEBSOCKET_EVENTS: Stream = {route: '/websocket-events', list: 'events'};
export const NETWORK_BODIES: Stream = {route: '/network-bodies', list: 'bodies'};
export const ENHANCED_ACTIONS: Stream = {route: '/enhanced-actions', list: 'actions'};
export const PERFORMANCE_SNAPSHOTS: Stream = {route: '/performance-snapshots', list: 'snapshots'};
export const DOM_SNAPSHOTS: Stream = {route: '/dom-snapshots', list: 'snapshots'};

/** A log entry, or a part of the source map of a script. */
export interface ToldEntry extends LogEntry {
  map?: string;
  part?: number;
  parts?: number;
}

/** Everything capture can say, by the message names of the contract. */
export interface Events {
  DEV_CONSOLE_LOG: ToldEntry;
  GASOLINE_WS: WebSocketEvent;
  GASOLINE_NETWORK_BODY: NetworkBody;
  GASOLINE_ENHANCED_ACTION: EnhancedAction;
  GASOLINE_PERFORMANCE_SNAPSHOT: PerformanceSnapshot;
  GASOLINE_DOM_SNAPSHOT: DomSnapshot;
}

export const STREAM_OF: Record<keyof Events, Stream> = {
  DEV_CONSOLE_LOG: LOGS,
  GASOLINE_WS: WEBSOCKET_EVENTS,
  GASOLINE_NETWORK_BODY: NETWORK_BODIES,
  GASOLINE_ENHANCED_ACTION: ENHANCED_ACTIONS,
  GASOLINE_PERFORMANCE_SNAPSHOT: PERFORMANCE_SNAPSHOTS,
  GASOLINE_DOM_SNAPSHOT: DOM_SNAPSHOTS,
};

export type Emit = <K extends keyof Events>(kind: K, payload: Events[K]) => void;
