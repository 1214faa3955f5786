// What a page shows: the elements a tester would look for, after each navigation.

import {onceLoaded} from './loaded';
import {epochNow, later, pageUrl} from './native';
import {quietly, stopAll, type Stop} from './patch';
import {redactText} from './redact';
import {nameOf, roleOf, testIdOf, textOf} from './selectors';
import type {DomSnapshot} from './wire';

const SETTLE_MS = 500;
const ELEMENTS = 60;
const TEXT_CHARS = 80;
const WORTH_SEEING = 'h1,h2,h3,h4,button,a[href],input:not([type=hidden]),select,textarea,[role],[data-testid],[data-test-id],[data-cy],table,dialog,form,img[alt]';

export interface DomCapture {
  undo: Stop;
  /** Look again, soon: the page has become another one. */
  settle(): void;
}

export function captureDom(emit: (snapshot: DomSnapshot) => void): DomCapture {
  let stopped = window !== top;
  const settle = (): void => void later(() => stopped || quietly(() => emit(takeSnapshot())), SETTLE_MS);
  return {settle, undo: stopAll([onceLoaded(settle), () => (stopped = true)])};
}

export function takeSnapshot(): DomSnapshot {
  const elements: DomSnapshot['elements'] = [];
  for (const element of document.querySelectorAll(WORTH_SEEING)) {
    if (elements.length >= ELEMENTS) break;
    elements.push(describe(element));
  }
  return {timestamp: epochNow(), url: redactText(pageUrl()), title: document.title.slice(0, TEXT_CHARS), elements};
}

function describe(element: Element): Record<string, unknown> {
  const heading = /^h([1-6])$/.exec(element.localName)?.[1];
  return {
    role: roleOf(element),
    level: heading && Number(heading),
    // By its name a heading is found again: what is only there for the eye is no part of that.
    text: redactText(heading ? nameOf(element).slice(0, TEXT_CHARS) : textOf(element, TEXT_CHARS)),
    testId: testIdOf(element),
    visible: element.checkVisibility(),
  };
}
