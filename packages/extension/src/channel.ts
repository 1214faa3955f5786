// The way between the capture in the page's world and the content script in ours.
//
// Both worlds see the same DOM objects, so one MessagePort, never entangled with anything, is an
// event target that only the two know. It is handed over by an event before the page's first script
// runs, and its events are synchronous: what is said while the page goes away still arrives.

import {fieldsOf, type Fields} from './narrow';

const OFFERED = 'gasoline:channel';
const WANTED = 'gasoline:channel-wanted';
const MET = 'met';

// Taken before the page can replace them.
const {addEventListener, removeEventListener, dispatchEvent} = EventTarget.prototype;
const NativeCustomEvent = CustomEvent;

/** What is said, and by whom: page to content script, or content script to page. */
export type Word = 'batch' | 'last' | 'changed' | 'receipt' | 'settings' | 'flush' | 'stop' | 'leaving';

export class Channel {
  readonly #target: EventTarget;

  constructor(target: EventTarget) {
    this.#target = target;
  }

  say(word: Word | typeof MET, detail: Fields = {}): void {
    Reflect.apply(dispatchEvent, this.#target, [new NativeCustomEvent(word, {detail})]);
  }

  hear(word: Word | typeof MET, handle: (detail: Fields) => void): void {
    const listener = (event: Event): void => {
      if (event instanceof NativeCustomEvent) handle(fieldsOf(event.detail));
    };
    Reflect.apply(addEventListener, this.#target, [word, listener]);
  }
}

/** For the content script. Which of the two worlds runs first is not promised. */
export function offerChannel(): Channel {
  const {port1} = new MessageChannel();
  const channel = new Channel(port1);
  const offer = (): void => void window.dispatchEvent(new MessageEvent(OFFERED, {ports: [port1]}));
  // Once taken it is offered to nobody else.
  channel.hear(MET, () => window.removeEventListener(WANTED, offer));
  window.addEventListener(WANTED, offer);
  offer();
  return channel;
}

/** For the page's world. */
export function meetContentScript(met: (channel: Channel) => void): void {
  const take = (event: Event): void => {
    const port = event instanceof MessageEvent ? event.ports[0] : undefined;
    if (port === undefined) return;
    event.stopImmediatePropagation();
    Reflect.apply(removeEventListener, window, [OFFERED, take]);
    const channel = new Channel(port);
    channel.say(MET);
    met(channel);
  };
  Reflect.apply(addEventListener, window, [OFFERED, take]);
  Reflect.apply(dispatchEvent, window, [new Event(WANTED)]);
}
