// Between the page and the worker: hands batches on, brings receipts and settings back.

import {onFirstUse} from '../../capture/src/lazy';
import {makeSender, type Transport} from '../../capture/src/sender';
import {STREAM_OF} from '../../capture/src/streams';
import {offerChannel, type Channel} from './channel';
import {isWanted} from './domains';
import {isAdmitted, kindOf} from './gate';
import {fieldsOf, isFields, type Fields} from './narrow';
import {onSettingsChanged, settingsInForce, type Settings} from './settings';

const LONGEST_LOAD_MS = 3000;
const LONGEST_WAIT_MS = 500;

/** Whether the worker has delivered a message's batch; false also when nobody is there to ask. */
async function hand(message: Fields): Promise<boolean> {
  return fieldsOf(await chrome.runtime.sendMessage(message))['taken'] === true;
}

function connectPage(channel: Channel): void {
  const lose = (): void => {
    // The extension was updated or removed under this page: nobody will ever listen again.
    if (chrome.runtime?.id === undefined) channel.say('stop');
  };
  channel.hear('batch', ({number, route, body, lost}) => {
    const receipt = (taken: boolean): void => channel.say('receipt', {number, taken});
    hand({type: 'batch', route, body, lost}).then(receipt, () => {
      receipt(false);
      lose();
    });
  });
  channel.hear('last', ({route, body, lost}) => void hand({type: 'batch', route, body, lost, last: true}).catch(lose));
  channel.hear('changed', ({actionId}) => void hand({type: 'changed', actionId}).catch(lose));
  chrome.runtime.onMessage.addListener((message: unknown, _sender, respond) => {
    const type = fieldsOf(message)['type'];
    if (type === 'flush') channel.say('flush');
    if (type === 'areYouThere') respond(true);
  });
}

// Both belong to the page that is open, not to the frame: whoever asks for a site wants its frames too.
function originOfPage(): string {
  const {ancestorOrigins} = location;
  return ancestorOrigins[ancestorOrigins.length - 1] ?? self.origin;
}

function isActive({domainFilters, trackedTabId}: Settings): boolean | Promise<boolean> {
  if (!isWanted(originOfPage(), domainFilters)) return false;
  return trackedTabId === null || isTab(trackedTabId);
}

async function isTab(tabId: number): Promise<boolean> {
  return fieldsOf(await chrome.runtime.sendMessage({type: 'whichTab'}))['tabId'] === tabId;
}

/** Page scripts of the past say what they captured by window messages, in the names of the contract. */
function connectOlderPageScripts(currentSettings: () => Settings | null): void {
  const transport: Transport = {
    async send({to, body}) {
      if (!(await hand({type: 'batch', route: to.address, body}))) throw new Error('the server is not there');
    },
    sendLast(batches) {
      for (const {to, body} of batches) void hand({type: 'batch', route: to.address, body, last: true}).catch(() => undefined);
      return batches;
    },
  };
  const sender = onFirstUse(() => makeSender(transport, () => null));
  window.addEventListener('message', event => {
    if (event.source !== window || !isFields(event.data)) return;
    const {type, payload} = event.data;
    const kind = kindOf(type);
    if (kind === undefined || !isFields(payload)) return;
    const settings = currentSettings();
    if (settings !== null && isAdmitted(kind, payload, settings)) sender().add(STREAM_OF[kind], payload);
  });
  window.addEventListener('pagehide', () => sender().leave());
}

/** Once the page has loaded and has nothing else to do, or is taking too long to. */
function afterLoad(run: () => void): void {
  const begin = onFirstUse(() => (run(), true));
  const beginSoon = (): void => void requestIdleCallback(begin, {timeout: LONGEST_WAIT_MS});
  if (document.readyState === 'complete') beginSoon();
  window.addEventListener('load', beginSoon);
  setTimeout(begin, LONGEST_LOAD_MS);
}

const channel = offerChannel();
let wanted: Settings | null = null;
// What lies in storage, until it is told: reading and telling it would take the page's load some milliseconds.
let untold: Fields | null = null;
let mayTell = false;

function tell(): void {
  if (untold === null) return;
  const settings = settingsInForce(untold);
  untold = null;
  const say = (active: boolean): void => {
    wanted = active ? settings : null;
    // The page may read what it is told; the token is not its business.
    channel.say('settings', {active, settings: {...settings, serverToken: ''}});
  };
  const active = isActive(settings);
  // At once where that can be: a page that is leaving asks for it.
  if (typeof active === 'boolean') say(active);
  else void active.then(say, () => undefined);
}

function look(): void {
  void chrome.storage.local.get().then(
    stored => {
      untold = stored;
      if (mayTell || stored['deferralEnabled'] === false) tell();
    },
    () => undefined,
  );
}

connectPage(channel);
channel.hear('leaving', tell);
connectOlderPageScripts(() => {
  tell();
  return wanted;
});
look();
afterLoad(() => {
  mayTell = true;
  onSettingsChanged(look);
  look();
});
