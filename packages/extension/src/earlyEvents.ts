// What the user does before the companion is there, which describes it.

import {NativeObserver, epochNow, isElement, isoTime, pageUrl} from '../../capture/src/native';
import {deeds, listen, retell, stopAll, type Stop} from '../../capture/src/patch';
import {redactText} from '../../capture/src/redact';
import type {Emit} from '../../capture/src/streams';

const KINDS = ['click', 'input', 'change', 'keydown', 'submit'];
const TOLD = new Set(['click', 'submit']);
const HELD = 1000;

export interface EarlyEvents {
  stop: Stop;
  /** For the companion, once it is there. */
  retell(): void;
  /** As well as can be told without it: the page is going. */
  tell(emit: Emit): void;
}

/** `wanted` is called with the first. */
export function holdEarlyEvents(wanted: () => void): EarlyEvents {
  const held: {event: Event; deedsBefore: number}[] = [];
  let observer: MutationObserver | undefined;
  let hasChanged = false;
  const see = (): void => void (hasChanged = true);
  const hold = (event: Event): void => {
    if (held.length >= HELD) return;
    held.push({event, deedsBefore: deeds.soFar});
    if (observer) return;
    observer = new NativeObserver(see);
    observer.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
    wanted();
  };
  return {
    stop: stopAll(KINDS.map(kind => listen(kind, hold))),
    retell() {
      if (observer?.takeRecords()[0]) see();
      observer?.disconnect();
      for (const {event, deedsBefore} of held.splice(0)) {
        deeds.afterwards = hasChanged || deeds.soFar > deedsBefore;
        retell(event);
      }
      deeds.afterwards = false;
    },
    tell(emit) {
      const timestamp = epochNow();
      for (const {event} of held.splice(0)) {
        const {type, target} = event;
        if (TOLD.has(type) && isElement(target)) emit('action', {type, timestamp, ts: isoTime(timestamp), url: redactText(pageUrl()), selectors: {}, target: target.localName});
      }
    },
  };
}
