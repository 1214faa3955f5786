// What every log entry has: when, where, and how bad.

import {epochNow, isoTime, pageUrl} from './native';
import type {LogEntry} from './wire';

export function logEntry(fields: LogEntry): LogEntry {
  const ts = isoTime(epochNow());
  return {ts, timestamp: ts, level: 'error', source: fields.type ?? '', url: pageUrl(), ...fields};
}
