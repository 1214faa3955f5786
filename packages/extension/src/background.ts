// The service worker: joins its parts, and listens to Chrome. It may end at any time and start again.

import {isWanted} from './domains';
import {fieldsOf, numberOf, textOf, type Fields} from './narrow';
import {OVERRIDES_KEY, loadSettings, type Settings} from './settings';
import {STATUS_KEY, type Status} from './status';
import {showBadge} from './worker/badge';
import {ContextSize} from './worker/contextSize';
import {DebugLog} from './worker/debugLog';
import {Delivery} from './worker/delivery';
import {Live} from './worker/live';
import {Memory} from './worker/memory';
import {sessionId} from './worker/ownEntries';
import {canDebug} from './worker/picture';
import {Post, type HandedOver} from './worker/post';
import {answerQuestion} from './worker/questions';
import {Screenshots} from './worker/screenshots';
import {Server} from './worker/server';
import {SessionValue} from './worker/sessionValue';
import {findTab, watchTabs} from './worker/tabs';
import {Waiting} from './worker/waiting';

declare const VERSION: string;

const ALARM = 'look after the line';
const ALARM_MINUTES = 0.5;
const SHOW_MS = 50;
const TRACKED = ['trackedTabId', 'trackedTabUrl'];

const errorCount = new SessionValue<number>('errorCount', stored => numberOf(stored));
const contextSize = new ContextSize();
const debugLog = new DebugLog(async () => (await loadSettings()).debugMode);
const server = new Server(loadSettings);
const memory = new Memory();
const waiting = new Waiting();
const delivery = new Delivery(server, debugLog, () => void live.connect());
const post = new Post({delivery, waiting, memory, seen: noteErrors});
const screenshots = new Screenshots(server, loadSettings, entry => post.write(entry));
const live: Live = new Live({
  server,
  debugLog,
  version: VERSION,
  session: sessionId,
  canDebug,
  answer: async question => {
    debugLog.note('question', question.question);
    return answerQuestion(question);
  },
  overrides: overrides => chrome.storage.local.set({[OVERRIDES_KEY]: overrides}),
  changed: showStatusSoon,
  connected: () => void welcomeServer(),
});

function noteErrors(errors: Fields[], tabId: number): void {
  errors.forEach(error => contextSize.see(error));
  void errorCount.update(count => count + errors.length).then(showStatusSoon);
  const [first] = errors;
  if (first) occur(tabId, {trigger: 'error', errorId: textOf(first['_errorId']) || `err_${Date.now()}`, errorType: textOf(first['type'], 'error')});
}

function occur(...occasion: Parameters<Screenshots['occur']>): void {
  screenshots.occur(...occasion).catch((error: unknown) => debugLog.note('no screenshot', String(error)));
}

/** Pages that are gone come first, then those that are open may send again. */
async function welcomeServer(): Promise<void> {
  delivery.resume();
  await post.deliverWaiting();
  await tellPages('flush');
}

async function tellPages(type: 'flush' | 'settingsChanged'): Promise<void> {
  const tabs = await chrome.tabs.query({});
  await Promise.allSettled(tabs.map(({id}) => (id === undefined ? undefined : chrome.tabs.sendMessage(id, {type}))));
}

async function readStatus(): Promise<Status> {
  const {line, problem, health} = live;
  return {
    line,
    problem,
    version: health?.version ?? '',
    entries: health?.entries ?? 0,
    maxEntries: health?.maxEntries ?? 0,
    logFile: health?.logFile ?? '',
    errors: await errorCount.read(),
    waiting: await waiting.count(),
    paused: delivery.isPaused,
    pressure: memory.pressure,
    heavyContextBytes: contextSize.heavyBytes,
  };
}

let showing: ReturnType<typeof setTimeout> | undefined;

function showStatusSoon(): void {
  showing ??= setTimeout(() => {
    showing = undefined;
    void showStatus();
  }, SHOW_MS);
}

async function showStatus(): Promise<void> {
  const status = await readStatus();
  await showBadge(status.line !== 'none', status.errors);
  await chrome.storage.session.set({[STATUS_KEY]: status});
}

async function clearLogs(): Promise<Fields> {
  const answer = await server.request('DELETE', '/logs').catch(() => undefined);
  if (answer?.ok !== true) return {cleared: false};
  await errorCount.update(() => 0);
  contextSize.forget();
  await live.connect();
  return {cleared: true};
}

async function takeScreenshot(): Promise<Fields> {
  const tab = await findTab(null);
  if (tab === undefined) return {taken: false, why: 'No page is open.'};
  return screenshots.take(tab, {trigger: 'explicit'}).then(
    () => ({taken: true}),
    (error: unknown) => ({taken: false, why: error instanceof Error ? error.message : String(error)}),
  );
}

function readHandedOver({route, body, lost, last}: Fields): HandedOver {
  return {route: textOf(route), body: textOf(body), lost: numberOf(lost), last: last === true};
}

/** What is in force in a page, and whether that is one to capture. */
async function settingsFor({ofPage}: Fields, tabId: number): Promise<{settings: Settings; active: boolean}> {
  const settings = await loadSettings();
  const {domainFilters, trackedTabId} = settings;
  return {settings, active: isWanted(textOf(ofPage), domainFilters) && (trackedTabId === null || trackedTabId === tabId)};
}

async function takeBatch(message: Fields, tabId: number): Promise<boolean> {
  const handed = readHandedOver(message);
  if (message['isUnasked'] !== true) return post.take(handed, tabId);
  const {settings, active} = await settingsFor(message, tabId);
  return active ? post.take(handed, tabId, settings) : true;
}

/** Bring what a page can start without to a frame; to the page itself, with all that is in it. */
async function bringCompanion({tab, frameId = 0}: chrome.runtime.MessageSender): Promise<void> {
  if (tab?.id === undefined) return;
  const target = frameId === 0 ? {tabId: tab.id, allFrames: true} : {tabId: tab.id, frameIds: [frameId]};
  await chrome.scripting.executeScript({target, world: 'MAIN', files: ['companion.js'], injectImmediately: true});
}

async function tellSettings(message: Fields, sender: chrome.runtime.MessageSender, tabId: number): Promise<Fields> {
  // A page may be gone by then.
  if (message['isNew'] === true) await bringCompanion(sender).catch(() => undefined);
  const {settings, active} = await settingsFor(message, tabId);
  // A page may read what it is told; the token is not its business.
  return {active, settings: {...settings, serverToken: ''}};
}

async function answerMessage(message: Fields, sender: chrome.runtime.MessageSender): Promise<unknown> {
  const tabId = sender.tab?.id ?? -1;
  switch (message['type']) {
    case 'batch':
      return {taken: await takeBatch(message, tabId)};
    case 'settings':
      return tellSettings(message, sender, tabId);
    case 'changed':
      occur(tabId, {trigger: 'action', actionId: textOf(message['actionId'])});
      return {};
    case 'getStatus':
      await live.connect();
      return readStatus();
    case 'clearLogs':
      return clearLogs();
    case 'captureScreenshot':
      return takeScreenshot();
    case 'getDebugLog':
      return {lines: await debugLog.read()};
    case 'clearDebugLog':
      return debugLog.clear();
    default:
      return {};
  }
}

chrome.runtime.onMessage.addListener((message: unknown, sender, respond) => {
  answerMessage(fieldsOf(message), sender).then(respond, () => respond({}));
  return true;
});

chrome.alarms.onAlarm.addListener(() => {
  void live.connect();
  void post.collect();
});

chrome.storage.onChanged.addListener((changes, area) => {
  if (area !== 'local') return;
  void tellPages('settingsChanged');
  if ('serverUrl' in changes || 'serverToken' in changes) {
    delivery.resume();
    void live.reconnect();
  }
});

chrome.tabs.onUpdated.addListener((tabId, change) => {
  if (change.status === 'loading') screenshots.leave(tabId);
  if (change.status === 'complete') screenshots.settle(tabId, () => occur(tabId, {trigger: 'navigation'}));
});
chrome.tabs.onRemoved.addListener(tabId => {
  void screenshots.forget(tabId);
  void loadSettings().then(({trackedTabId}) => (trackedTabId === tabId ? chrome.storage.local.remove(TRACKED) : undefined));
});
watchTabs(() => void live.tellTabs());

// Tab numbers mean nothing to the next run of the browser.
chrome.runtime.onStartup.addListener(() => void chrome.storage.local.remove(TRACKED));

void chrome.alarms.create(ALARM, {periodInMinutes: ALARM_MINUTES});
// A server that is connected says again what it overrides.
void chrome.storage.local.remove(OVERRIDES_KEY).then(() => live.connect());
void post.collect();
