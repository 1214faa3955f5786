// Between the page and the worker: hands batches on, brings receipts and settings back.

import {makeSender} from '../../capture/src/sender';
import {STREAM_OF} from '../../capture/src/streams';
import {offerChannel, type Channel} from './channel';
import {isWanted} from './domains';
import {isAdmitted, kindOf} from './gate';
import {fieldsOf, isFields, type Fields} from './narrow';
import {watchSettings, type Settings} from './settings';

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

async function isActive({domainFilters, trackedTabId}: Settings): Promise<boolean> {
  if (!isWanted(originOfPage(), domainFilters)) return false;
  if (trackedTabId === null) return true;
  return fieldsOf(await chrome.runtime.sendMessage({type: 'whichTab'}))['tabId'] === trackedTabId;
}

/** Page scripts of the past say what they captured by window messages, in the names of the contract. */
function connectOlderPageScripts(currentSettings: () => Settings | null): void {
  const sender = makeSender(
    {
      async send({stream, body}) {
        if (!(await hand({type: 'batch', route: stream.address, body}))) throw new Error('the server is not there');
      },
      sendLast(batches) {
        for (const {stream, body} of batches) void hand({type: 'batch', route: stream.address, body, last: true}).catch(() => undefined);
        return batches;
      },
    },
    () => null,
  );
  window.addEventListener('message', event => {
    const settings = currentSettings();
    if (event.source !== window || settings === null || !isFields(event.data)) return;
    const {type, payload} = event.data;
    const kind = kindOf(type);
    if (kind === undefined || !isFields(payload)) return;
    if (isAdmitted(kind, payload, settings)) sender.add(STREAM_OF[kind], payload);
  });
  window.addEventListener('pagehide', () => sender.leave());
}

const channel = offerChannel();
let wanted: Settings | null = null;
connectPage(channel);
connectOlderPageScripts(() => wanted);
watchSettings(settings => {
  void isActive(settings).then(
    active => {
      wanted = active ? settings : null;
      // The page may read what it is told; the token is not its business.
      channel.say('settings', {active, settings: {...settings, serverToken: ''}});
    },
    () => undefined,
  );
});
