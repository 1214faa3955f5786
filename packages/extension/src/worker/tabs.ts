// The tabs that a question can be about.

import {redactText} from '../../../capture/src/redact';

export interface TabSeen {
  tabId: number;
  url: string;
  title: string;
  active: boolean;
}

const READABLE = /^(https?|file):/;

export async function listTabs(): Promise<TabSeen[]> {
  const tabs = await chrome.tabs.query({});
  return tabs.flatMap(({id, url = '', title = '', active}) =>
    id !== undefined && READABLE.test(url) ? [{tabId: id, url: redactText(url), title: redactText(title), active}] : [],
  );
}

/** The tab by its number; without one the page in front, or the one that was last. */
export async function findTab(tabId: number | null): Promise<chrome.tabs.Tab | undefined> {
  if (tabId !== null) return chrome.tabs.get(tabId).catch(() => undefined);
  const [front] = await chrome.tabs.query({active: true, lastFocusedWindow: true});
  if (front && READABLE.test(front.url ?? '')) return front;
  const readable = (await chrome.tabs.query({})).filter(tab => READABLE.test(tab.url ?? ''));
  const shown = readable.filter(tab => tab.active);
  return (shown.length > 0 ? shown : readable).sort((one, other) => (other.lastAccessed ?? 0) - (one.lastAccessed ?? 0))[0];
}

/** Call back, not too often, when tabs came, went or changed. */
export function watchTabs(changed: () => void): void {
  let soon: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    soon ??= setTimeout(() => {
      soon = undefined;
      changed();
    }, 100);
  };
  chrome.tabs.onActivated.addListener(look);
  chrome.tabs.onRemoved.addListener(look);
  chrome.tabs.onUpdated.addListener((_id, change) => {
    if (change.url !== undefined || change.title !== undefined || change.status !== undefined) look();
  });
}
