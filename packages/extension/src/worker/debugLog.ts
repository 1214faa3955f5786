// What the extension itself did lately, for a bug report about it; only in debug mode.

import {listOf} from '../narrow';
import {SessionValue} from './sessionValue';

const LINES = 200;

export interface DebugLine {
  ts: string;
  what: string;
  detail: string;
}

export class DebugLog {
  readonly #lines = new SessionValue<unknown[]>('debugLog', listOf);

  constructor(readonly isOn: () => Promise<boolean>) {}

  note(what: string, detail = ''): void {
    const line: DebugLine = {ts: new Date().toISOString(), what, detail};
    void this.isOn().then(on => (on ? this.#lines.update(lines => [...lines, line].slice(-LINES)) : undefined));
  }

  read(): Promise<unknown[]> {
    return this.#lines.read();
  }

  async clear(): Promise<void> {
    await this.#lines.update(() => []);
  }
}
