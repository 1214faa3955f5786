// The popup: how it goes, what is captured, and the buttons one needs every day.

import {fieldsOf, listOf} from './narrow';
import {loadSettings, readSettings} from './settings';
import {STATUS_KEY, readStatus, type Status} from './status';
import {byId, readControls, showNeeds, showSettings} from './ui/controls';

const LOOK_MS = 2000;
const SAID_MS = 2000;
const LINES: Record<Status['line'], string> = {websocket: 'open', polling: 'polling (a server without /live)', none: 'none'};

const numbers = new Intl.NumberFormat();
let serverUrl = '';

function showStatus(status: Status): void {
  const connected = status.line !== 'none';
  document.body.dataset['line'] = connected ? 'on' : 'off';
  const pill = byId('status', HTMLSpanElement);
  pill.dataset['state'] = connected ? 'connected' : 'disconnected';
  pill.textContent = connected ? 'Connected' : 'Disconnected';
  const most = document.createElement('small');
  most.textContent = ` / ${numbers.format(status.maxEntries)}`;
  byId('entries', HTMLSpanElement).replaceChildren(numbers.format(status.entries), most);
  const errors = byId('errors', HTMLElement);
  errors.textContent = numbers.format(status.errors);
  errors.toggleAttribute('data-any', status.errors > 0);
  byId('problem', HTMLParagraphElement).textContent = status.problem || 'Looking for the server.';
  byId('log-file', HTMLElement).textContent = status.logFile || (connected ? 'memory only (gasoline serve --record FILE writes one)' : 'unknown');
  byId('where', HTMLParagraphElement).textContent = `Gasoline ${status.version} at ${serverUrl}`;
  byId('line', HTMLElement).textContent = LINES[status.line];
  byId('clear', HTMLButtonElement).disabled = !connected;
  notice('heavy-context', status.heavyContextBytes > 0 && `Annotations add ${Math.round(status.heavyContextBytes / 1024)} KB to each error: window.__gasoline.annotate with less.`);
  notice('delivery', describeDelivery(status));
}

function describeDelivery({paused, waiting, pressure}: Status): string | false {
  if (pressure !== 'normal') return pressure === 'hard' ? 'Memory is short: network bodies are left out.' : 'Memory is short: less is kept for later.';
  if (paused) return 'The server did not take five deliveries in a row: trying again every 30 seconds. Open pages keep what they captured.';
  return waiting > 0 && `${numbers.format(waiting)} ${waiting === 1 ? 'batch' : 'batches'} of closed pages wait for the server.`;
}

function notice(id: string, text: string | false): void {
  const element = byId(id, HTMLParagraphElement);
  element.hidden = text === false;
  if (text !== false) element.textContent = text;
}

function say(id: string, text: string): void {
  const element = byId(id, HTMLSpanElement);
  element.textContent = text;
  setTimeout(() => {
    if (element.textContent === text) element.textContent = '';
  }, SAID_MS);
}

async function look(): Promise<void> {
  showStatus(readStatus(await chrome.runtime.sendMessage({type: 'getStatus'})));
}

async function exportDebugLog(): Promise<void> {
  const {lines} = fieldsOf(await chrome.runtime.sendMessage({type: 'getDebugLog'}));
  const manifest = chrome.runtime.getManifest();
  const content = {extension: manifest.version, browser: navigator.userAgent, exported: new Date().toISOString(), lines: listOf(lines)};
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(content, null, 2)], {type: 'application/json'}));
  link.download = 'gasoline-debug-log.json';
  link.click();
  URL.revokeObjectURL(link.href);
}

async function showTab(): Promise<void> {
  const [tab] = await chrome.tabs.query({active: true, currentWindow: true});
  const track = byId('track', HTMLInputElement);
  const {trackedTabId} = await loadSettings();
  track.checked = trackedTabId !== null && trackedTabId === tab?.id;
  track.disabled = tab?.id === undefined;
  if (trackedTabId !== null && !track.checked) byId('tracked', HTMLElement).textContent = 'Another tab is the only one captured now';
  track.addEventListener('change', () => {
    if (track.checked && tab?.id !== undefined) void chrome.storage.local.set({trackedTabId: tab.id, trackedTabUrl: tab.url ?? ''});
    else void chrome.storage.local.remove(['trackedTabId', 'trackedTabUrl']);
  });
  if (tab?.id === undefined || !/^(https?|file):/.test(tab.url ?? '')) return;
  const there = await chrome.tabs.sendMessage(tab.id, {type: 'areYouThere'}, {frameId: 0}).catch(() => false);
  byId('not-captured', HTMLParagraphElement).hidden = there !== false;
}

function connectButtons(): void {
  document.addEventListener('change', event => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset['setting'] === undefined) return;
    showNeeds();
    void chrome.storage.local.set(readControls());
  });
  byId('clear', HTMLButtonElement).addEventListener('click', async () => {
    const {cleared} = fieldsOf(await chrome.runtime.sendMessage({type: 'clearLogs'}));
    say('said', cleared === true ? 'Cleared' : 'The server did not answer');
    await look();
  });
  byId('shoot', HTMLButtonElement).addEventListener('click', async () => {
    const {taken, why} = fieldsOf(await chrome.runtime.sendMessage({type: 'captureScreenshot'}));
    say('shot-said', taken === true ? 'Taken' : String(why ?? 'Not taken'));
  });
  byId('export-debug', HTMLButtonElement).addEventListener('click', () => void exportDebugLog());
  byId('clear-debug', HTMLButtonElement).addEventListener('click', () => void chrome.runtime.sendMessage({type: 'clearDebugLog'}));
}

async function open(): Promise<void> {
  const [stored, session] = await Promise.all([chrome.storage.local.get(), chrome.storage.session.get(STATUS_KEY)]);
  // The user's own settings, not what a server overrides: these are what the switches change.
  const settings = readSettings(stored);
  showSettings(settings);
  serverUrl = settings.serverUrl;
  // The status of a moment ago, so that nothing jumps while the worker looks again.
  if (session[STATUS_KEY] !== undefined) showStatus(readStatus(session[STATUS_KEY]));
  connectButtons();
  document.body.toggleAttribute('data-ready', true);
  await Promise.all([look(), showTab()]);
  setInterval(() => void look(), LOOK_MS);
}

void open();
