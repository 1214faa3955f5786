// The capture in the page's own world: runs before the page's first script, in every frame. Every page waits for it: what
// can come later is the companion's.

import {startCapture, type Capture} from '../../capture/src/capture';
import type {Companion} from '../../capture/src/companion';
import type {AiContextSettings} from '../../capture/src/errorEntry';
import {bare, isCallable} from '../../capture/src/native';
import {quietly} from '../../capture/src/patch';
import {meetContentScript, type Channel} from './channel';
import {holdEarlyEvents} from './earlyEvents';
import {Gate} from './gate';
import {fieldsOf, type Fields} from './narrow';
import {extensionTransport} from './pageTransport';
import {share} from './shared';

declare const VERSION: string;

const OUR_ADDRESSES = ['//localhost:7890/', '//127.0.0.1:7890/', 'chrome-extension://'];

/** What the settings say of the capture; until they are known, all that they may ask for but the state of the app. */
export interface Wanted {
  networkBodies: boolean;
  webSocketMessages: boolean;
  actions: number;
  ourAddresses: readonly string[];
  readonly aiContext: AiContextSettings;
}

/** What the companion finds in the page. */
export interface PageParts {
  channel: Channel;
  capture: Capture;
  gate: Gate;
  wanted: Wanted;
  /** Sending may begin. */
  begin(): void;
}

/** Makes of a page what does as the settings say. */
export type Obedient = (parts: PageParts) => (settings: Fields, active: boolean) => void;

function run(channel: Channel): void {
  const aiContext = {enabled: true, sourceSnippets: true, componentTree: true, stateSnapshot: false};
  const wanted: Wanted = {networkBodies: true, webSocketMessages: true, actions: 50, ourAddresses: OUR_ADDRESSES, aiContext};
  let begin: () => void = () => undefined;
  const begun = new Promise<void>(resolve => (begin = resolve));
  let leaving = false;
  window.addEventListener(
    'pagehide',
    () => {
      early.tell(capture.emit);
      // Settings come after the load; what was seen before waits for them.
      channel.say('leaving');
      leaving = true;
      // It may come back.
      window.addEventListener('pageshow', () => (leaving = false), {capture: true, once: true});
    },
    true,
  );
  const gate = new Gate();
  let bring: (companion: Companion) => void = () => undefined;
  const capture = startCapture({
    version: VERSION,
    transport: extensionTransport(channel, begun, () => gate.lost),
    get all() {
      return wanted.networkBodies;
    },
    testId: () => {
      const named: unknown = Reflect.get(window, '__GASOLINE_TEST_ID');
      return typeof named === 'string' ? named : null;
    },
    isOwn: url => wanted.ourAddresses.some(address => url.includes(address)),
    webSocketMessages: () => wanted.webSocketMessages,
    actionLimit: () => wanted.actions,
    aiContext,
    companion: use => (bring = use),
    gate: (kind, payload, pass) =>
      gate.see(kind, payload, passed => {
        pass(passed);
        // What the page says in its own last listeners comes after capture has said its last.
        if (leaving) capture.leave();
      }),
  });
  const early = holdEarlyEvents(() => channel.say('follow'));
  let obey: ((settings: Fields, active: boolean) => void) | undefined;
  const welcome = (companion: Companion, obedient: Obedient): void => {
    if (obey) return;
    obey = obedient({channel, capture, gate, wanted, begin});
    early.stop();
    bring(companion);
    early.retell();
  };
  // No function of the page's is asked on the way. A page may give us one of its own: it then decides what is seen of it.
  const set = (come: unknown): void => void quietly(() => isCallable(come) && come({...share(), bring: welcome}));
  Object.defineProperty(window, '__gasoline', bare({get: () => capture.api, set, configurable: true}));

  channel.hear('settings', ({settings, active}) => {
    if (obey && settings) {
      channel.say('known');
      obey(fieldsOf(settings), active === true);
    } else {
      // The worker lets through what may pass.
      gate.open(
        (_kind, payload, pass) => pass(payload),
        () => true,
      );
      begin();
    }
  });
  channel.hear('flush', () => void capture.api.flush());
  channel.hear('stop', capture.stop);
}

quietly(() => {
  if (Reflect.get(window, '__gasoline') === undefined) meetContentScript(channel => void quietly(() => run(channel)));
});
