// The capture in the page's own world: runs before the page's first script, in every frame.

import {startCapture} from '../../capture/src/capture';
import type {AiContextSettings} from '../../capture/src/enrichment';
import {NativeObserver, epochNow, later} from '../../capture/src/native';
import {quietly} from '../../capture/src/patch';
import type {Events} from '../../capture/src/streams';
import {meetContentScript, type Channel} from './channel';
import {Gate} from './gate';
import {fieldsOf} from './narrow';
import {extensionTransport} from './pageTransport';
import {DEFAULTS, readSettings, type Settings} from './settings';

declare const VERSION: string;

const QUIET_MS = 100;
const LONGEST_LOAD_MS = 3000;
const CHANGE_MS = 500;
const WATERFALL_ITEMS = 20;
const OUR_ADDRESSES = ['//localhost:7890/', '//127.0.0.1:7890/', 'chrome-extension://'];

function run(channel: Channel): void {
  let settings: Settings = DEFAULTS;
  let ourAddresses = OUR_ADDRESSES;
  let begin: () => void = () => undefined;
  const begun = new Promise<void>(resolve => (begin = resolve));
  let leaving = false;
  window.addEventListener(
    'pagehide',
    () => {
      // Settings come with the load; what was seen before it waits for them.
      channel.say('leaving');
      leaving = true;
    },
    true,
  );
  window.addEventListener('pageshow', () => (leaving = false), true);
  const gate = new Gate((kind, payload) => {
    // What the page says in its own last listeners comes after capture has said its last.
    if (leaving) capture.leave();
    if (kind === 'action' && settings.screenshotsEnabled && settings.screenshotOnAction) tellIfItChanges(channel, payload);
  });
  const aiContext: AiContextSettings = readAiContext(settings);
  const capture = startCapture({
    version: VERSION,
    transport: extensionTransport(channel, begun, () => gate.lost),
    get all() {
      return settings.networkBodyCaptureEnabled;
    },
    testId: () => {
      const named: unknown = Reflect.get(window, '__GASOLINE_TEST_ID');
      return typeof named === 'string' ? named : null;
    },
    isOwn: url => ourAddresses.some(address => url.includes(address)),
    webSocketMessages: () => settings.webSocketCaptureMode === 'messages',
    actionLimit: () => settings.reproductionBufferSize,
    aiContext,
    gate: gate.see,
  });
  Object.defineProperty(window, '__gasoline', {get: () => capture.api, configurable: true});

  gate.complete = (kind, payload, {enhancedSelectorsEnabled, networkWaterfallEnabled, performanceMarksEnabled}) => {
    if (kind === 'action' && !enhancedSelectorsEnabled) return {...payload, selectors: {}};
    if (kind !== 'log' || Reflect.get(payload, 'level') !== 'error') return payload;
    const waterfall = networkWaterfallEnabled ? {_networkWaterfall: capture.api.getNetworkWaterfall({limit: WATERFALL_ITEMS})} : {};
    const marks = performanceMarksEnabled ? {_performanceMarks: [...capture.api.getMarks(), ...capture.api.getMeasures()]} : {};
    return withContextAllowed({...payload, ...waterfall, ...marks}, aiContext);
  };
  channel.hear('settings', detail => {
    settings = readSettings(fieldsOf(detail['settings']));
    ourAddresses = [...OUR_ADDRESSES, `${settings.serverUrl.replace(/^https?:/, '')}/`];
    capture.api.setActionCapture(settings.actionReplayEnabled);
    capture.api.setNetworkWaterfall(settings.networkWaterfallEnabled);
    capture.api.setPerformanceMarks(settings.performanceMarksEnabled);
    Object.assign(aiContext, readAiContext(settings));
    gate.open(settings, detail['active'] === true);
    if (settings.deferralEnabled) whenQuiet(begin);
    else begin();
  });
  channel.hear('flush', () => void capture.api.flush());
  channel.hear('stop', capture.stop);
}

function readAiContext(settings: Settings): AiContextSettings {
  return {
    enabled: settings.aiContextEnabled,
    sourceSnippets: settings.aiContextSourceSnippets,
    componentTree: settings.aiContextComponentTree,
    stateSnapshot: settings.aiContextStateSnapshot,
  };
}

/** Errors of before the settings were known say what the defaults allow: leave what the user allows. */
function withContextAllowed<T extends object>(entry: T, {enabled, componentTree, sourceSnippets}: AiContextSettings): T {
  if (!Reflect.has(entry, '_errorId')) return entry;
  const context = {...fieldsOf(Reflect.get(entry, '_aiContext')), ...(sourceSnippets ? {} : {sourceSnippets: []})};
  if (!componentTree) Reflect.deleteProperty(context, 'componentAncestry');
  const allowed = {...entry};
  const enrichments: unknown = Reflect.get(entry, '_enrichments');
  const others: unknown[] = Array.isArray(enrichments) ? enrichments.filter(name => name !== 'aiContext') : [];
  const hasContext = enabled && Object.keys(context).length > 0;
  if (hasContext) Reflect.set(allowed, '_aiContext', context);
  else Reflect.deleteProperty(allowed, '_aiContext');
  if (!enabled) Reflect.deleteProperty(allowed, '_errorId');
  if (Array.isArray(enrichments) || hasContext) Reflect.set(allowed, '_enrichments', hasContext ? [...others, 'aiContext'] : others);
  return allowed;
}

/** Sending waits until the page has loaded: nothing is missed by it, and the load has the processor to itself. */
function whenQuiet(go: () => void): void {
  const giveUpAt = epochNow() + LONGEST_LOAD_MS;
  // Looking, not listening: a document written anew loses its listeners.
  const look = (): void => {
    if (epochNow() > giveUpAt) go();
    else later(document.readyState === 'complete' ? go : look, QUIET_MS);
  };
  look();
}

let watched: MutationObserver | undefined;

/** Say so when the page shows something else soon after a click, and before the next. */
function tellIfItChanges(channel: Channel, action: Events['action']): void {
  if (action.type !== 'click' && action.type !== 'submit') return;
  watched?.disconnect();
  const observer = new NativeObserver(() => {
    observer.disconnect();
    channel.say('changed', {actionId: action.actionId ?? ''});
  });
  watched = observer;
  observer.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
  later(() => observer.disconnect(), CHANGE_MS);
}

quietly(() => {
  if (Reflect.get(window, '__gasoline') === undefined) meetContentScript(channel => void quietly(() => run(channel)));
});
