// Pictures nobody asked for one by one: of errors, of new pages, of what a click changed.

import {fieldsOf, listOf, numberOf, parseJson, textOf, type Fields} from '../narrow';
import type {Settings} from '../settings';
import {takePicture} from './picture';
import type {Server} from './server';
import {SessionValue} from './sessionValue';

const BETWEEN_MS = 5000;
const MINUTE_MS = 60_000;
const PER_MINUTE = 10;
const SETTLE_MS = 1000;

export type Trigger = 'error' | 'navigation' | 'action' | 'explicit';

/** What a picture shows, beside its page. */
export interface Occasion {
  trigger: Trigger;
  errorId?: string;
  errorType?: string;
  actionId?: string;
}

type Times = Record<string, number[]>;

export class Screenshots {
  readonly #times = new SessionValue<Times>('screenshotTimes', stored =>
    Object.fromEntries(Object.entries(fieldsOf(stored)).map(([tab, times]) => [tab, listOf(times).map(time => numberOf(time))])),
  );

  readonly #settling = new Map<number, ReturnType<typeof setTimeout>>();

  constructor(
    readonly server: Pick<Server, 'request'>,
    readonly settings: () => Promise<Settings>,
    readonly write: (entry: Fields) => Promise<void>,
  ) {}

  /** A page has loaded: its time comes once it has settled, unless another page comes first. */
  settle(tabId: number, settled: () => void): void {
    this.leave(tabId);
    this.#settling.set(tabId, setTimeout(settled, SETTLE_MS));
  }

  leave(tabId: number): void {
    clearTimeout(this.#settling.get(tabId));
    this.#settling.delete(tabId);
  }

  /** Take one if the settings want it and the tab has not had too many. */
  async occur(tabId: number, occasion: Occasion): Promise<void> {
    const settings = await this.settings();
    if (!isWanted(occasion.trigger, settings)) return;
    const tab = await chrome.tabs.get(tabId);
    if (tab.active && (await this.#reserve(tabId))) await this.take(tab, occasion);
  }

  /** Take one, deliver it, and log that it exists. */
  async take(tab: chrome.tabs.Tab, occasion: Occasion): Promise<void> {
    const {dataUrl} = await takePicture(tab, {format: 'jpeg'});
    const {trigger, errorId, errorType, actionId} = occasion;
    const url = tab.url ?? '';
    const upload = {dataUrl, url, trigger, ...(errorId ? {errorId, errorType: errorType ?? 'error'} : {}), ...(actionId ? {actionId} : {})};
    const answer = await this.server.request('POST', '/screenshots', JSON.stringify(upload));
    if (!answer.ok) throw new Error(`/screenshots answered ${answer.status}`);
    const ts = new Date().toISOString();
    await this.write({
      ts,
      timestamp: ts,
      type: 'screenshot',
      source: 'screenshot',
      level: 'info',
      url,
      message: `Screenshot (${trigger})`,
      tabId: tab.id,
      _enrichments: ['screenshot'],
      screenshotFile: textOf(fieldsOf(parseJson(await answer.text()))['filename']),
      trigger,
      ...(errorId ? {relatedErrorId: errorId} : {}),
      ...(actionId ? {relatedActionId: actionId} : {}),
    });
  }

  async forget(tabId: number): Promise<void> {
    this.leave(tabId);
    await this.#times.update(({[tabId]: _gone, ...others}) => others);
  }

  async #reserve(tabId: number): Promise<boolean> {
    let reserved = false;
    await this.#times.update(times => {
      const now = Date.now();
      const recent = (times[tabId] ?? []).filter(time => now - time < MINUTE_MS);
      reserved = recent.length < PER_MINUTE && now - (recent.at(-1) ?? 0) >= BETWEEN_MS;
      return {...times, [tabId]: reserved ? [...recent, now] : recent};
    });
    return reserved;
  }
}

function isWanted(trigger: Trigger, settings: Settings): boolean {
  if (!settings.screenshotsEnabled) return false;
  if (trigger === 'error') return settings.screenshotOnError;
  return trigger === 'navigation' ? settings.screenshotOnNavigation : settings.screenshotOnAction;
}
