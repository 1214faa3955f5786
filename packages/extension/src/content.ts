// Between the page and the worker: hands on what the page says, brings receipts and settings back. It is short, and asks
// for nothing before the page has loaded: every page waits for it.

import {onFirstUse} from '../../capture/src/lazy';
import {STREAM_OF} from '../../capture/src/streams';
import {offerChannel} from './channel';
import {fieldsOf, isFields, type Fields} from './narrow';
import {kindOf} from './oldNames';

// Whoever looks at the page looks at its load first.
const REST_MS = 100;
// A page's own question is answered for its frames too; those that came later ask for themselves.
const FRAME_REST_MS = 1000;
const LONGEST_REST_MS = 500;
const LONGEST_LOAD_MS = 3000;

const channel = offerChannel();
let told = false;

async function ask(message: Fields): Promise<Fields> {
  return fieldsOf(await chrome.runtime.sendMessage({ofPage: originOfPage(), ...message}));
}

/** Whether the worker has delivered a message's batch; false also when nobody is there to ask. */
async function hand(message: Fields): Promise<boolean> {
  return (await ask({type: 'batch', ...message}))['taken'] === true;
}

// Of the page that is open, not of the frame: whoever asks for a site wants its frames too.
function originOfPage(): string {
  const {ancestorOrigins} = location;
  return ancestorOrigins[ancestorOrigins.length - 1] ?? self.origin;
}

function lose(): void {
  // The extension was updated or removed under this page: nobody will ever listen again.
  if (chrome.runtime?.id === undefined) channel.say('stop');
}

async function learnSettings(): Promise<void> {
  const {active, settings} = await ask({type: 'settings', isNew: !told});
  channel.say('settings', {active, settings});
}

function look(): void {
  learnSettings().catch(lose);
}

/** Once: what a page can start without is brought, and what it may say is learned. */
const follow = onFirstUse(() => {
  chrome.runtime.onMessage.addListener((message: unknown, _sender, respond) => {
    const type = fieldsOf(message)['type'];
    if (type === 'flush') channel.say('flush');
    if (type === 'settingsChanged') look();
    if (type === 'areYouThere') respond({told});
  });
  look();
  return true;
});

/** Once the page has loaded and has nothing else to do, or is taking too long to. */
function followAfterLoad(): void {
  const rest = (): void => void setTimeout(() => requestIdleCallback(follow, {timeout: LONGEST_REST_MS}), window === top ? REST_MS : FRAME_REST_MS);
  if (document.readyState === 'complete') rest();
  window.addEventListener('load', rest);
  setTimeout(follow, LONGEST_LOAD_MS);
}

/** Page scripts of the past say what they captured by window messages, in the names of the contract: each goes as it is. */
function connectOlderPageScripts(): void {
  const sender = Math.random().toString(36);
  let batch = 0;
  window.addEventListener('message', ({source, data}) => {
    if (source !== window || !isFields(data) || !isFields(data['payload'])) return;
    const kind = kindOf(data['type']);
    if (kind === undefined) return;
    const {address: route, list} = STREAM_OF[kind];
    const body = JSON.stringify({sender, batch: ++batch, [list]: [data['payload']]});
    void hand({route, body, isUnasked: true, last: true}).catch(lose);
  });
}

channel.hear('batch', ({number, route, body, lost}) => {
  const receipt = (taken: boolean): void => channel.say('receipt', {number, taken});
  hand({route, body, lost, isUnasked: !told}).then(receipt, () => {
    receipt(false);
    lose();
  });
});
channel.hear('last', ({route, body, lost}) => void hand({route, body, lost, isUnasked: !told, last: true}).catch(lose));
channel.hear('changed', ({actionId}) => void ask({type: 'changed', actionId}).catch(lose));
channel.hear('follow', follow);
channel.hear('known', () => (told = true));
// What the page says on its way out before it knows the settings, the worker holds against them.
channel.hear('leaving', () => told || channel.say('settings'));
connectOlderPageScripts();
followAfterLoad();
