// The same error over and over: the first is sent at once, its repeats as one entry that counts them.

import {fieldsOf, listOf, numberOf, textOf, type Fields} from '../narrow';

export const WINDOW_MS = 5000;
const GROUPS = 100;
const OLDEST_MS = 3_600_000;
const CONSOLE_CHARS = 200;

interface Group {
  entry: Fields;
  /** When an occurrence was last let through. */
  passedAt: number;
  firstSeen: number;
  lastSeen: number;
  /** Occurrences since then that nobody was told about. */
  suppressed: number;
}

/** All of it, as it is kept for the next worker. */
interface Stored {
  known: Record<string, Group>;
  retired: Group[];
}

export class Groups {
  readonly #groups = new Map<string, Group>();
  // Groups that had to make room; their repeats are still to be told.
  #retired: Group[] = [];

  static restore(stored: unknown): Groups {
    const groups = new Groups();
    const {known, retired} = fieldsOf(stored);
    for (const [signature, kept] of Object.entries(fieldsOf(known))) groups.#groups.set(signature, readGroup(kept));
    groups.#retired = listOf(retired).map(readGroup);
    return groups;
  }

  get stored(): Stored {
    return {known: Object.fromEntries(this.#groups), retired: this.#retired};
  }

  /** The entry as it should be sent, or null when it is a repeat. */
  admit(entry: Fields, nowMs: number): Fields | null {
    if (!canRepeat(entry)) return entry;
    const signature = signatureOf(entry);
    const group = this.#groups.get(signature);
    if (group === undefined) {
      this.#groups.set(signature, {entry, passedAt: nowMs, firstSeen: nowMs, lastSeen: nowMs, suppressed: 0});
      this.#makeRoom();
      return entry;
    }
    group.lastSeen = nowMs;
    if (nowMs - group.passedAt < WINDOW_MS) {
      group.suppressed++;
      return null;
    }
    const repeats = group.suppressed;
    group.passedAt = nowMs;
    group.suppressed = 0;
    return repeats > 0 ? {...entry, _previousOccurrences: repeats} : entry;
  }

  get hasRepeats(): boolean {
    return this.#retired.length > 0 || [...this.#groups.values()].some(group => group.suppressed > 0);
  }

  /** One entry for the repeats of each group whose window is over; old groups go. */
  collect(nowMs: number): Fields[] {
    const collected = this.#retired.map(aggregate);
    this.#retired = [];
    for (const [signature, group] of this.#groups) {
      const isOld = nowMs - group.lastSeen > OLDEST_MS;
      if (isOld || nowMs - group.passedAt >= WINDOW_MS) {
        if (group.suppressed > 0) collected.push(aggregate(group));
        group.suppressed = 0;
      }
      if (isOld) this.#groups.delete(signature);
    }
    return collected;
  }

  #makeRoom(): void {
    for (const [signature, group] of this.#groups) {
      if (this.#groups.size <= GROUPS) return;
      this.#groups.delete(signature);
      if (group.suppressed > 0) this.#retired.push(group);
    }
  }
}

function readGroup(stored: unknown): Group {
  const fields = fieldsOf(stored);
  return {
    entry: fieldsOf(fields['entry']),
    passedAt: numberOf(fields['passedAt']),
    firstSeen: numberOf(fields['firstSeen']),
    lastSeen: numberOf(fields['lastSeen']),
    suppressed: numberOf(fields['suppressed']),
  };
}

/** Only errors and failed requests are worth counting. */
export function canRepeat(entry: Fields): boolean {
  return entry['level'] === 'error' || entry['type'] === 'network';
}

function aggregate({entry, firstSeen, lastSeen, suppressed}: Group): Fields {
  const ts = new Date(lastSeen).toISOString();
  return {...entry, ts, timestamp: ts, _aggregatedCount: suppressed, _firstSeen: new Date(firstSeen).toISOString(), _lastSeen: ts};
}

/** What makes two errors the same. Tabs are told apart: each has its own story. */
export function signatureOf(entry: Fields): string {
  const {type, level, tabId, message, stack, method, url, status, args} = entry;
  return [tabId, type, level, essence()].map(String).join('|');

  function essence(): string {
    if (type === 'exception') return `${textOf(message)}|${firstFrame(textOf(stack))}`;
    if (type === 'network') return `${textOf(method)} ${pathOf(textOf(url))} ${String(status ?? '')}`;
    const first = Array.isArray(args) ? args[0] : undefined;
    const said = typeof first === 'string' ? first : first === undefined ? textOf(message) : JSON.stringify(first);
    return said.slice(0, CONSOLE_CHARS);
  }
}

function firstFrame(stack: string): string {
  return stack.split('\n').find(line => /^\s*at |@/.test(line))?.trim() ?? '';
}

function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/]+/i, '').replace(/[?#].*$/, '');
}
