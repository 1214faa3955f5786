// A click on a button that leads to nothing: for a second no change of the page, no request, no other address.

import {logEntry} from './logEntry';
import {NativeObserver, addListener, cancelLater, isElement, later, pageUrl, removeListener} from './native';
import {deeds, listen, patchMethod, quietly, stopAll, type Stop} from './patch';
import {redactText} from './redact';
import {nameOf} from './selectors';
import type {LogEntry} from './wire';

const PATIENCE_MS = 1000;
const NAME_CHARS = 60;
// What is there to be pressed. A link may open elsewhere, a field changes by itself.
const BUTTONS = 'button,[role=button],[type=submit],[type=button],[type=image],a[href="#"],a[href^="javascript:"]';
// What shows that something happened without changing the page's tree.
const SIGNS = ['submit', 'input', 'change', 'toggle', 'scroll', 'play', 'blur', 'copy', 'beforeunload', 'visibilitychange'];

/** Tell of each click that nothing followed. Only a click makes it watch, and only until the first sign. */
export function captureDeadClicks(emit: (entry: LogEntry) => void): Stop {
  const hear = listen('click', event => {
    // One that is told again has no path any more.
    const [clicked = event.target, ...path] = event.composedPath();
    const button = isElement(clicked) && clicked.closest(BUTTONS);
    if (event.isTrusted && !deeds.afterwards && button && !button.matches(':disabled,[aria-disabled=true]')) watch(button, [document, ...path], () => emit(describe(button)));
  });
  // One of the page's deeds.
  return stopAll([hear, patchMethod(window, 'open', proceed => proceed())]);
}

function watch(button: Element, path: readonly EventTarget[], tell: () => void): void {
  const before = deeds.soFar;
  const address = pageUrl();
  const focused = document.activeElement;
  const stop = (): void => {
    cancelLater(timer);
    observer.disconnect();
    for (const sign of SIGNS) removeListener(window, sign, stop);
  };
  const observer = new NativeObserver(stop);
  for (const root of path) {
    if (root instanceof Document || root instanceof ShadowRoot) observer.observe(root, {subtree: true, childList: true, attributes: true, characterData: true});
  }
  for (const sign of SIGNS) addListener(window, sign, stop);
  const timer = later(() => {
    stop();
    if (deeds.soFar === before && pageUrl() === address && hasKeptFocus(focused, button)) quietly(tell);
  }, PATIENCE_MS);
}

/** A button takes the focus by itself; that it moved on to a field is an answer. */
function hasKeptFocus(focused: Element | null, button: Element): boolean {
  const {activeElement} = document;
  return activeElement === focused || activeElement === document.body || button.contains(activeElement);
}

function describe(button: Element): LogEntry {
  const name = redactText((nameOf(button) || button.localName).slice(0, NAME_CHARS));
  return logEntry({level: 'warn', type: 'dead-click', message: `Nothing followed a click on "${name}" within a second: no change, no request`});
}
