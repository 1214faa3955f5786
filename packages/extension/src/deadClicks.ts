// A click on a button that leads to nothing: for a second no change of the page, no request, no other address.

import {logEntry} from '../../capture/src/logEntry';
import {later} from '../../capture/src/native';
import {listen, observeCalls, stopAll, type Stop} from '../../capture/src/patch';
import {redactText} from '../../capture/src/redact';
import type {LogEntry} from '../../capture/src/wire';

const PATIENCE_MS = 1000;
const NAME_CHARS = 60;
// What is there to be pressed. A link may open elsewhere, a field changes by itself.
const BUTTONS = 'button, [role="button"], input[type="submit"], input[type="button"], input[type="image"], a[href="#"], a[href^="javascript:"]';
// What shows that something happened without changing the page's tree.
const SIGNS = ['submit', 'input', 'change', 'toggle', 'scroll', 'play', 'blur', 'copy', 'beforeunload', 'pagehide', 'visibilitychange'];

const NativeObserver = MutationObserver;

/** Tell of each click that nothing followed. */
export function watchDeadClicks(tell: (entry: LogEntry) => void): Stop {
  let signs = 0;
  const live = (): void => void signs++;
  return stopAll([
    ...SIGNS.map(sign => listen(sign, live)),
    observeCalls(window, 'fetch', live),
    observeCalls(window, 'open', live),
    observeCalls(XMLHttpRequest.prototype, 'send', live),
    observeCalls(WebSocket.prototype, 'send', live),
    observeCalls(Navigator.prototype, 'sendBeacon', live),
    listen('click', event => {
      const [clicked] = event.composedPath();
      const button = clicked instanceof Element ? clicked.closest(BUTTONS) : null;
      if (!event.isTrusted || !button || button.matches(':disabled, [aria-disabled="true"]')) return;
      const before = {signs, address: location.href, focused: document.activeElement};
      const observer = new NativeObserver(live);
      for (const root of event.composedPath()) {
        if (root instanceof Document || root instanceof ShadowRoot) observer.observe(root, {subtree: true, childList: true, attributes: true, characterData: true});
      }
      later(() => {
        if (observer.takeRecords().length > 0) live();
        observer.disconnect();
        const isDead = signs === before.signs && location.href === before.address && hasKeptFocus(before.focused, button);
        if (isDead) tell(describe(button));
      }, PATIENCE_MS);
    }),
  ]);
}

/** A button takes the focus by itself; that it moved on to a field is an answer. */
function hasKeptFocus(focused: Element | null, button: Element): boolean {
  const {activeElement} = document;
  return activeElement === focused || activeElement === document.body || button.contains(activeElement);
}

function describe(button: Element): LogEntry {
  const said = button.textContent?.trim() || button.getAttribute('aria-label') || button.getAttribute('value') || button.tagName.toLowerCase();
  const name = redactText(said.replace(/\s+/g, ' ').slice(0, NAME_CHARS));
  return logEntry({level: 'warn', type: 'dead-click', message: `Nothing followed a click on "${name}": no change of the page, no request, no other address within a second`});
}
