// What the settings make of a capture that started without knowing them.

import type {AiContextSettings} from '../../capture/src/errorEntry';
import {NativeObserver, epochNow, later} from '../../capture/src/native';
import type {Events} from '../../capture/src/streams';
import {isAdmitted, permitted} from './admission';
import type {Channel} from './channel';
import type {Obedient} from './page';
import {readSettings, type Settings} from './settings';

const QUIET_MS = 100;
const LONGEST_LOAD_MS = 3000;
const CHANGE_MS = 500;
const WATERFALL_ITEMS = 20;

export const obedient: Obedient = ({channel, capture, gate, wanted, begin}) => {
  const {ourAddresses} = wanted;
  const {api} = capture;
  const complete = <K extends keyof Events>(kind: K, payload: Events[K], {networkWaterfallEnabled, performanceMarksEnabled}: Settings): Events[K] => {
    if (kind !== 'log' || Reflect.get(payload, 'level') !== 'error') return payload;
    const waterfall = networkWaterfallEnabled ? {_networkWaterfall: api.getNetworkWaterfall({limit: WATERFALL_ITEMS})} : {};
    const marks = performanceMarksEnabled ? {_performanceMarks: [...api.getMarks(), ...api.getMeasures()]} : {};
    return {...payload, ...waterfall, ...marks};
  };
  return (fields, active) => {
    const settings = readSettings(fields);
    wanted.networkBodies = settings.networkBodyCaptureEnabled;
    wanted.webSocketMessages = settings.webSocketCaptureMode === 'messages';
    wanted.actions = settings.reproductionBufferSize;
    wanted.ourAddresses = [...ourAddresses, `${settings.serverUrl.replace(/^https?:/, '')}/`];
    api.setActionCapture(settings.actionReplayEnabled);
    api.setNetworkWaterfall(settings.networkWaterfallEnabled);
    api.setPerformanceMarks(settings.performanceMarksEnabled);
    Object.assign(wanted.aiContext, readAiContext(settings));
    let isHeld = true;
    gate.open(
      (kind, payload, pass) => {
        if (!active || !isAdmitted(kind, payload, settings)) return;
        const whole = complete(kind, permitted(kind, payload, settings), settings);
        pass(whole);
        if (kind === 'action' && settings.screenshotsEnabled && settings.screenshotOnAction) tellIfItChanges(channel, whole, isHeld);
      },
      (kind, like) => active && isAdmitted(kind, like, settings),
    );
    isHeld = false;
    if (settings.deferralEnabled) whenQuiet(begin);
    else begin();
  };
};

function readAiContext(settings: Settings): AiContextSettings {
  return {
    enabled: settings.aiContextEnabled,
    sourceSnippets: settings.aiContextSourceSnippets,
    componentTree: settings.aiContextComponentTree,
    stateSnapshot: settings.aiContextStateSnapshot,
  };
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

/** Say so when the page shows something else soon after a click, and before the next; of one before the settings it is not known. */
function tellIfItChanges(channel: Channel, {type, actionId}: Events['action'], mayHaveChanged: boolean): void {
  if (type !== 'click' && type !== 'submit') return;
  watched?.disconnect();
  const tell = (): void => channel.say('changed', {actionId: actionId ?? ''});
  if (mayHaveChanged) return tell();
  const observer = new NativeObserver(() => {
    observer.disconnect();
    tell();
  });
  watched = observer;
  observer.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
  later(() => observer.disconnect(), CHANGE_MS);
}
