// A snapshot as a person reads it beside a failed test.

import type {GasolineNetworkBody, GasolineSnapshot} from './types';

const BODY_CHARS = 200;
const FAILED = 400;

export function summarize({timestamp, stats, logs, network_bodies, blind}: GasolineSnapshot): string {
  const lines = ['=== Gasoline Failure Context ===', `Captured at: ${timestamp}`];
  if (blind !== undefined) lines.push(`Nothing could be read: ${blind}`);
  lines.push(
    '',
    '--- Stats ---',
    `Total logs: ${stats.total_logs}`,
    `Errors: ${stats.error_count}`,
    `Warnings: ${stats.warning_count}`,
    `Network failures: ${stats.network_failures}`,
    `WebSocket connections: ${stats.ws_connections}`,
  );
  if (stats.error_count > 0) {
    lines.push('', '--- Errors ---');
    for (const {level, source, message, stack} of logs) {
      if (level !== 'error') continue;
      lines.push(`  [${source ?? ''}] ${message ?? ''}`);
      if (stack) lines.push(`    ${stack.split('\n', 1)[0] ?? ''}`);
    }
  }
  if (stats.network_failures > 0) {
    lines.push('', '--- Network Failures ---');
    for (const {method, url, status, responseBody} of network_bodies) {
      if (status === undefined || status < FAILED) continue;
      lines.push(`  ${method ?? ''} ${url ?? ''} → ${status}`);
      if (responseBody) lines.push(`    ${responseBody.slice(0, BODY_CHARS)}`);
    }
  }
  const waiting = network_bodies.filter((body, index) => body.pending && !network_bodies.slice(index + 1).some(later => isSame(body, later)));
  if (waiting.length > 0) {
    lines.push('', '--- Never Answered ---');
    for (const {method, url, duration} of waiting) lines.push(`  ${method ?? ''} ${url ?? ''} → no answer after ${Math.round(duration ?? 0)} ms`);
  }
  return lines.join('\n');
}

// What was told while it waited gives way to what was told later.
function isSame(one: GasolineNetworkBody, other: GasolineNetworkBody): boolean {
  return one.ts === other.ts && one.method === other.method && one.url === other.url;
}
