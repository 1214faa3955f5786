// The way between the capture in the page's world and the content script in ours.
//
// Both worlds see the same objects of the browser, so events on one of them reach both, at once: what is said while the
// page goes away still arrives. They have a name that only the two know; it is handed over before the page's first script
// runs. The object is one that keeps its listeners when a page is written anew.

import {fieldsOf, type Fields} from './narrow';

const OFFERED = 'gasoline:channel';
const WANTED = 'gasoline:channel-wanted';
const MET = 'met';

// Taken before the page can replace them.
const {addEventListener, removeEventListener, dispatchEvent} = EventTarget.prototype;
const NativeCustomEvent = CustomEvent;
const {apply} = Reflect;
const meeting = performance;

/** What is said, and by whom: page to content script, or content script to page. */
export type Word = 'batch' | 'last' | 'changed' | 'follow' | 'known' | 'receipt' | 'settings' | 'flush' | 'stop' | 'leaving';

export interface Channel {
  say(word: Word | typeof MET, detail?: Fields): void;
  hear(word: Word | typeof MET, handle: (detail: Fields) => void): void;
}

function makeChannel(name: string): Channel {
  return {
    say(word, detail = {}) {
      apply(dispatchEvent, meeting, [new NativeCustomEvent(name + word, {detail})]);
    },
    hear(word, handle) {
      const listener = (event: Event): void => {
        if (event instanceof NativeCustomEvent) handle(fieldsOf(event.detail));
      };
      apply(addEventListener, meeting, [name + word, listener]);
    },
  };
}

/** For the content script. Which of the two worlds runs first is not promised. */
export function offerChannel(): Channel {
  const name = Math.random().toString(36);
  const channel = makeChannel(name);
  const offer = (): void => void meeting.dispatchEvent(new NativeCustomEvent(OFFERED, {detail: name}));
  // Once taken it is offered to nobody else.
  channel.hear(MET, () => meeting.removeEventListener(WANTED, offer));
  meeting.addEventListener(WANTED, offer);
  offer();
  return channel;
}

/** For the page's world. */
export function meetContentScript(met: (channel: Channel) => void): void {
  const take = (event: Event): void => {
    if (!(event instanceof NativeCustomEvent) || typeof event.detail !== 'string') return;
    event.stopImmediatePropagation();
    apply(removeEventListener, meeting, [OFFERED, take]);
    const channel = makeChannel(event.detail);
    channel.say(MET);
    met(channel);
  };
  apply(addEventListener, meeting, [OFFERED, take]);
  apply(dispatchEvent, meeting, [new Event(WANTED)]);
}
