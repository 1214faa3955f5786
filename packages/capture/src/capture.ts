// The capture as a whole: every kind of event into one sender, and one way to undo it all.

import {captureActions, captureNavigation, newAction} from './actions';
import {captureConsole} from './console';
import {captureDeadClicks} from './deadClicks';
import {captureDom} from './dom';
import {addContext, enrichLater, enrichNow, isOfCode, makeNovelty, nameError, type AiContextSettings} from './enrichment';
import {captureErrors} from './errors';
import {captureEventSource} from './eventsource';
import {captureFetch} from './fetch';
import {onFirstUse} from './lazy';
import {later, pageUrl} from './native';
import {reportUnanswered, type NetworkSink} from './network';
import {makeMemory, makePageApi, type PageApi} from './pageApi';
import {keepListening, listen, quietly, quietlyLater, startAll, stopAll, type Stop} from './patch';
import {capturePerformance} from './performance';
import {redactText} from './redact';
import {makeSender, type Nth, type Transport} from './sender';
import {askedFor, readSource, scriptsOf} from './sources';
import {watchState} from './state';
import {LOGS, STREAM_OF, type Emit, type Events} from './streams';
import {captureWebSocket} from './websocket';
import type {AiContext, EnhancedAction, LogEntry, NetworkBody} from './wire';
import {captureXhr} from './xhr';

// A page cannot know its tab; what a popup does must still not be taken for its opener's. Whoever knows the tab says so.
const POPUP_TAB = -1;
const GREETING_MS = 100;
// Less than anything waits for company before it leaves.
const DESCRIBED_MS = 50;

export interface CaptureOptions {
  version: string;
  transport: Transport;
  /** Whether requests that succeed are kept too. */
  all: boolean;
  testId: () => string | null;
  /** Said before everything else. */
  greeting?: () => LogEntry | null;
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
  readonly api: PageApi;
  emit: Emit;
  /** Hand over everything at once: the page is going. */
  leave: () => void;
  stop: Stop;
}

export function startCapture(options: CaptureOptions): Capture {
  const {version, webSocketMessages = () => true, aiContext, gate = passAll} = options;
  const isPopup = Boolean(opener);
  const placed = <T extends object>(item: T): T => (isPopup ? {tabId: POPUP_TAB, ...item} : item);
  // With the first event or a little later: until then it need not be there.
  const sender = onFirstUse(() => {
    const made = makeSender(options.transport, options.testId);
    const greeting = options.greeting?.();
    if (greeting) made.add(LOGS, placed(greeting));
    return made;
  });
  later(() => quietly(sender), GREETING_MS);
  const memory = makeMemory(options.actionLimit);
  const emit: Emit = (kind, payload) =>
    void quietly(() => {
      // It may have been switched on since.
      watchState(aiContext);
      rest();
      gate(kind, payload, passed => sender().add(STREAM_OF[kind], placed(passed)));
    });
  const record = (action: EnhancedAction): void => {
    memory.note(action);
    emit('action', action);
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
  const log = (entry: LogEntry): void => emit('log', memory.enrich(entry));
  const isNews = makeNovelty();
  const fail = (bare: LogEntry): void => {
    if (!aiContext.enabled) return log(bare);
    const error = nameError(memory.enrich(bare));
    const wanted = isOfCode(error) && isNews(error);
    const entry = enrichNow(error, wanted ? aiContext : {...aiContext, componentTree: false});
    emit('log', entry);
    if (wanted && aiContext.stateSnapshot) void expect(quietlyLater(async () => follow(entry, await enrichLater(entry, aiContext))));
    if (wanted && aiContext.sourceSnippets) for (const url of scriptsOf(entry.stack ?? '')) void expect(upload(url));
  };
  const follow = ({_errorId}: LogEntry, context: AiContext): void => {
    if (!context.stateSnapshot || !_errorId) return;
    const more = {type: 'gasoline-enrichment', _errorId, _aiContext: context};
    gate('log', more, passed => sender().amend(LOGS, `"_errorId":"${_errorId}"`, entry => addContext(entry, context)) || sender().add(LOGS, passed));
  };
  const upload = async (url: string): Promise<void> => {
    for (const source of await readSource(url)) gate('log', source, passed => sender().addLarge(LOGS, passed));
  };
  const enrichError = async (entry: LogEntry): Promise<LogEntry> => {
    const told = memory.enrich(entry);
    if (!aiContext.enabled) return told;
    const enriched = enrichNow(told, aiContext);
    return addContext(enriched, await enrichLater(enriched, aiContext));
  };
  const exchanges: (() => NetworkBody)[] = [];
  const describeAll = (): void => exchanges.splice(0).forEach(describe => quietly(() => emit('network', describe())));
  const network: NetworkSink = {
    exchange: describe => {
      if (exchanges.push(describe) === 1) later(describeAll, DESCRIBED_MS);
    },
    log,
    wantsSuccesses: () => options.all,
    isOwn,
    expect,
    waiting: new Map(),
  };
  const settle = (isLeaving: boolean): void => {
    quietly(() => rest().finish(isLeaving));
    quietly(() => reportUnanswered(network));
    describeAll();
  };
  const leave = (): void => {
    settle(true);
    sender().leave();
  };
  // What needs something to look at, or somebody who uses it.
  const rest = onFirstUse(() => {
    const actions = quietly(() => captureActions(act));
    const performance = quietly(() => capturePerformance(snapshot => emit('load', snapshot), isOwn));
    const dom = quietly(() => captureDom(snapshot => emit('dom', snapshot)));
    const stopWatching = startAll([
      () => captureDeadClicks(entry => memory.actionsEnabled && log(entry)),
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
      () => listen('visibilitychange', () => document.hidden && (describeAll(), sender().flush())),
    ]);
    const undo = stopAll([stopWatching, ...[actions, performance, dom].map(part => () => part?.undo())]);
    const finish = (isLeaving: boolean): void => {
      actions?.finish();
      if (isLeaving) performance?.finish();
    };
    return {finish, undo};
  });
  watchState(aiContext);
  // Every tab of a driver begins with an empty page that most tests leave right away: there, the rest waits for something
  // to be in the page. A popup's first document may give way to another one in the same window, unseen.
  const isWaiting = pageUrl() === 'about:blank' && !opener && window === top;
  const stopHearing = startAll([
    () => keepListening(rest, isWaiting),
    () => captureConsole(entry => (entry.level === 'error' ? fail : log)(entry)),
    () => captureErrors(fail, isOwn),
    () => captureFetch(network),
    () => captureXhr(network),
    () => captureEventSource(network),
    () => captureWebSocket({emit: event => emit('socket', event), isOwn, wantsMessages: webSocketMessages}),
  ]);
  if (!isWaiting) rest();
  const stop: Stop = () => {
    aiContext.stateSnapshot = false;
    stopAll([describeAll, stopHearing, rest().undo, sender().undo])();
  };
  const flush = async (nth?: Nth): Promise<string | undefined> => {
    settle(nth !== undefined);
    for (const report of reports) await report;
    describeAll();
    // Not returned as the promise it is: that would call the page's own `then`.
    return await sender().flush(nth);
  };
  const api = onFirstUse(() => makePageApi({version, memory, aiContext, enrichError, record, flush, stop}));
  return {
    get api() {
      return api();
    },
    emit,
    leave,
    stop,
  };
}

const passAll: Gate = (_kind, payload, pass) => pass(payload);
