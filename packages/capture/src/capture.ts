// The capture as a whole: every kind of event into one sender, and one way to undo it all.

import {captureActions, captureNavigation, newAction} from './actions';
import {captureConsole} from './console';
import {captureDom} from './dom';
import {addContext, enrichLater, enrichNow, isOfCode, makeNovelty, nameError, type AiContextSettings} from './enrichment';
import {captureErrors} from './errors';
import {captureEventSource} from './eventsource';
import {captureFetch} from './fetch';
import type {NetworkSink} from './network';
import {makeMemory, makePageApi, type PageApi} from './pageApi';
import {keepListening, listen, nothing, quietly, quietlyLater, startAll, stopAll, type Stop} from './patch';
import {capturePerformance} from './performance';
import {redactText} from './redact';
import {makeSender, type Transport} from './sender';
import {askedFor, readSource, scriptsOf} from './sources';
import {watchState} from './state';
import {LOGS, STREAM_OF, type Emit, type Events} from './streams';
import {captureWebSocket} from './websocket';
import type {AiContext, EnhancedAction, LogEntry} from './wire';
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
  /** What errors may be told with; read anew for each. */
  aiContext: AiContextSettings;
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
  const {version, webSocketMessages = () => true, aiContext, gate = passAll} = options;
  const sender = makeSender(options.transport, options.testId);
  const memory = makeMemory(options.actionLimit);
  const tab = opener ? {tabId: POPUP_TAB} : {};
  const emit: Emit = (kind, payload) =>
    void quietly(() => {
      // It may have been switched on since.
      watchState(aiContext);
      gate(kind, payload, passed => sender.add(STREAM_OF[kind], {...tab, ...passed}));
    });
  const record = (action: EnhancedAction): void => {
    memory.note(action);
    emit('GASOLINE_ENHANCED_ACTION', action);
  };
  const act = (action: EnhancedAction): void => {
    if (memory.actionsEnabled) record(action);
  };
  const reports = new Set<Promise<void>>();
  const expect = async (report: Promise<void>): Promise<void> => {
    reports.add(report);
    await report;
    reports.delete(report);
  };
  const isOwn = (url: string): boolean => askedFor.has(url) || options.isOwn(url);
  const log = (entry: LogEntry): void => emit('DEV_CONSOLE_LOG', memory.enrich(entry));
  const isNews = makeNovelty();
  const fail = (bare: LogEntry): void => {
    if (!aiContext.enabled) return log(bare);
    const error = nameError(memory.enrich(bare));
    const wanted = isOfCode(error) && isNews(error);
    const entry = enrichNow(error, wanted ? aiContext : {...aiContext, componentTree: false});
    emit('DEV_CONSOLE_LOG', entry);
    if (wanted && aiContext.stateSnapshot) void expect(quietlyLater(async () => follow(entry, await enrichLater(entry, aiContext))));
    if (wanted && aiContext.sourceSnippets) for (const url of scriptsOf(entry.stack ?? '')) void expect(upload(url));
  };
  const follow = ({_errorId}: LogEntry, context: AiContext): void => {
    if (!context.stateSnapshot || !_errorId) return;
    const more = {type: 'gasoline-enrichment', _errorId, _aiContext: context};
    gate('DEV_CONSOLE_LOG', more, passed => sender.amend(LOGS, `"_errorId":"${_errorId}"`, entry => addContext(entry, context)) || sender.add(LOGS, passed));
  };
  const upload = async (url: string): Promise<void> => {
    for (const source of await readSource(url)) gate('DEV_CONSOLE_LOG', source, passed => sender.addLarge(LOGS, passed));
  };
  const enrichError = async (entry: LogEntry): Promise<LogEntry> => {
    const told = memory.enrich(entry);
    if (!aiContext.enabled) return told;
    const enriched = enrichNow(told, aiContext);
    return addContext(enriched, await enrichLater(enriched, aiContext));
  };
  const network: NetworkSink = {
    exchange: body => emit('GASOLINE_NETWORK_BODY', body),
    log,
    wantsSuccesses: () => options.mode === 'all',
    isOwn,
    expect,
  };
  const actions = quietly(() => captureActions(act));
  const performance = quietly(() => capturePerformance(snapshot => emit('GASOLINE_PERFORMANCE_SNAPSHOT', snapshot), isOwn));
  const dom = quietly(() => captureDom(snapshot => emit('GASOLINE_DOM_SNAPSHOT', snapshot)));
  const leave = (): void => {
    quietly(() => actions?.finish());
    quietly(() => performance?.finish());
    sender.leave();
  };
  watchState(aiContext);
  const stopCapturing = startAll([
    keepListening,
    () => captureConsole(entry => (entry.level === 'error' ? fail : log)(entry)),
    () => captureErrors(fail, isOwn),
    () => captureFetch(network),
    () => captureXhr(network),
    () => captureEventSource(network),
    () => captureWebSocket({emit: event => emit('GASOLINE_WS', event), isOwn, wantsMessages: webSocketMessages}),
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
    aiContext.stateSnapshot = false;
    stopAll([stopCapturing, actions?.stop ?? nothing, dom?.stop ?? nothing, performance?.stop ?? nothing])();
    sender.stop();
  };
  const flush = async (): Promise<void> => {
    quietly(() => actions?.finish());
    for (const report of reports) await report;
    await sender.flush();
  };
  return {api: makePageApi({version, memory, aiContext, enrichError, record, flush, stop}), emit, leave, stop};
}

const passAll: Gate = (_kind, payload, pass) => pass(payload);
