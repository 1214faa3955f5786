// What the popup shows: how the worker tells it, and how it reads that.

import type {Line} from './worker/live';
import type {Pressure} from './worker/memory';
import {fieldsOf, numberOf, textOf} from './narrow';

/** Where the last status lies, so that a popup opens with it at once. */
export const STATUS_KEY = 'status';

export interface Status {
  line: Line;
  /** Why there is no line. */
  problem: string;
  version: string;
  entries: number;
  maxEntries: number;
  logFile: string;
  errors: number;
  /** Batches of closed pages that wait for the server. */
  waiting: number;
  paused: boolean;
  pressure: Pressure;
  /** Bytes of annotations that errors carry, when that is a lot. */
  heavyContextBytes: number;
}

export function readStatus(value: unknown): Status {
  const said = fieldsOf(value);
  const {line, pressure} = said;
  return {
    line: line === 'websocket' || line === 'polling' ? line : 'none',
    problem: textOf(said['problem']),
    version: textOf(said['version']),
    entries: numberOf(said['entries']),
    maxEntries: numberOf(said['maxEntries']),
    logFile: textOf(said['logFile']),
    errors: numberOf(said['errors']),
    waiting: numberOf(said['waiting']),
    paused: said['paused'] === true,
    pressure: pressure === 'soft' || pressure === 'hard' ? pressure : 'normal',
    heavyContextBytes: numberOf(said['heavyContextBytes']),
  };
}
