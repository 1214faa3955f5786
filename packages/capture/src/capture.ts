// The capture as a whole: every kind of event into one sender, and one way to undo it all.

import {captureActions, captureNavigation, newAction} from './actions';
import {captureConsole} from './console';
import {captureDom} from './dom';
import {captureErrors} from './errors';
import {captureEventSource} from './eventsource';
import {captureFetch} from './fetch';
import {cancelLater, epochNow, later, randomWord} from './native';
import type {NetworkSink} from './network';
import {PageMemory, makePageApi, type PageApi} from './pageApi';
import {keepListening, listen, nothing, quietly, startAll, stopAll, type Stop} from './patch';
import {capturePerformance, type PerformanceCapture} from './performance';
import {redactText} from './redact';
import {Sender, type Transport} from './sender';
import {STREAM_OF, type Emit, type Events} from './streams';
import {captureWebSocket} from './websocket';
import type {EnhancedAction} from './wire';
import {captureXhr} from './xhr';

// A page cannot know its tab; what a popup does must still not be taken for its opener's. Whoever knows the tab says so.
const POPUP_TAB = -1;

export interface CaptureOptions {
  version: string;
  transport: Transport;
  /** `errors-only` keeps requests that failed; `all` keeps every one. */
  mode: 'errors-only' | 'all';
  testId: () => string | null;
  /** Addresses of the server itself, which are not the page's traffic. */
  isOwn: (url: string) => boolean;
  webSocketMessages?: () => boolean;
  /** How many user actions are remembered. */
  actionLimit?: () => number;
  /** Decides about each event before it is counted: passes it on, changed or not, now or later, or not at all. */
  gate?: Gate;
}

export type Gate = <K extends keyof Events>(kind: K, payload: Events[K], pass: (payload: Events[K]) => void) => void;

export interface Capture {
  api: PageApi;
  emit: Emit;
  /** Hand over everything at once: the page is going. */
  leave: () => void;
  stop: Stop;
}

export function startCapture(options: CaptureOptions): Capture {
  const {version, isOwn, webSocketMessages, gate = passAll} = options;
  const sender = new Sender(options.transport, options.testId);
  const memory = new PageMemory(options.actionLimit);
  const tab = opener ? {tabId: POPUP_TAB} : {};
  const emit: Emit = (kind, payload) => void quietly(() => gate(kind, payload, passed => sender.add(STREAM_OF[kind], {...tab, ...passed})));
  const record = (action: EnhancedAction): void => {
    memory.note(action);
    emit('GASOLINE_ENHANCED_ACTION', action);
  };
  const act = (action: EnhancedAction): void => {
    if (memory.actionsEnabled) record(action);
  };
  const reports = new Set<Promise<void>>();
  const network: NetworkSink = {
    exchange: body => emit('GASOLINE_NETWORK_BODY', body),
    log: entry => emit('DEV_CONSOLE_LOG', memory.enrich(entry)),
    wantsSuccesses: () => options.mode === 'all',
    isOwn,
    expect: async report => {
      reports.add(report);
      await report;
      reports.delete(report);
    },
  };
  const actions = quietly(() => captureActions(act));
  const dom = quietly(() => captureDom(snapshot => emit('GASOLINE_DOM_SNAPSHOT', snapshot)));
  // The browser keeps what observers miss: they need not delay the page's first script.
  let performance: PerformanceCapture | undefined;
  const starting = later(() => {
    performance = quietly(() => capturePerformance(snapshot => emit('GASOLINE_PERFORMANCE_SNAPSHOT', snapshot), isOwn));
  }, 0);
  const leave = (): void => {
    quietly(() => actions?.finish());
    quietly(() => performance?.finish());
    sender.leave();
  };
  const stopCapturing = startAll([
    keepListening,
    () => captureConsole(entry => emit('DEV_CONSOLE_LOG', memory.enrich(entry))),
    () => captureErrors(entry => emit('DEV_CONSOLE_LOG', memory.enrich({...entry, _errorId: errorId()})), isOwn),
    () => captureFetch(network),
    () => captureXhr(network),
    () => captureEventSource(network),
    () => captureWebSocket({emit: event => emit('GASOLINE_WS', event), isOwn, wantsMessages: webSocketMessages ?? (() => true)}),
    () =>
      captureNavigation((fromUrl, toUrl) => {
        actions?.finish();
        dom?.settle();
        act({...newAction('navigate'), fromUrl: redactText(fromUrl), toUrl: redactText(toUrl)});
      }),
    // `beforeunload` comes on navigation and not on close, `pagehide` on both but too late for a
    // binding; a hidden page may never be seen again.
    () => listen('beforeunload', leave),
    () => listen('pagehide', leave),
    () => listen('visibilitychange', () => document.visibilityState === 'hidden' && void sender.flush()),
  ]);
  const stop: Stop = () => {
    cancelLater(starting);
    stopAll([stopCapturing, actions?.stop ?? nothing, dom?.stop ?? nothing, performance?.stop ?? nothing])();
    sender.stop();
  };
  const flush = async (): Promise<void> => {
    quietly(() => actions?.finish());
    for (const report of reports) await report;
    await sender.flush();
  };
  return {api: makePageApi({version, memory, record, flush, stop}), emit, leave, stop};
}

const passAll: Gate = (_kind, payload, pass) => pass(payload);

function errorId(): string {
  return `err_${epochNow()}_${randomWord().slice(0, 6)}`;
}
