// The capture as a whole: every kind of event into one sender, and one way to undo it all.

import type {Companion, WithCompanion} from './companion';
import {captureConsole} from './console';
import {captureDialogs} from './dialogs';
import {addContext, isOfCode, makeNovelty, nameError, type AiContextSettings} from './errorEntry';
import {captureErrors} from './errors';
import {captureEventSource} from './eventsource';
import {captureFetch} from './fetch';
import {onFirstUse} from './lazy';
import {isBlank, isLoaded, later, now} from './native';
import {captureNavigation} from './navigation';
import {askedFor, reportUnanswered, type NetworkSink} from './network';
import {makeMemory, makePageApi, type PageApi} from './pageApi';
import {keepListening, listen, nothing, quietly, quietlyLater, startAll, stopAll, type Stop} from './patch';
import {redactText} from './redact';
import {makeSender, type Nth, type Transport} from './sender';
import {LOGS, STREAM_OF, type Emit, type Events} from './streams';
import {captureWebSocket} from './websocket';
import type {AiContext, EnhancedAction, LogEntry, NetworkBody} from './wire';
import {captureXhr} from './xhr';

// A page cannot know its tab; what a popup does must still not be taken for its opener's. Whoever knows the tab says so.
const POPUP_TAB = -1;
const GREETING_MS = 100;
// Less than anything waits for company before it leaves.
const DESCRIBED_MS = 50;
const USES = 999;
// How many events go at once from a page that is leaving, or that was asked for what it holds because it will be closed. It
// may stay all the same, or flood.
const LAST_WORDS = 100;
const LAST_WORDS_CLOSING = 20;
const CLOSING_MS = 100;

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
  /** Brings what a page can start without. */
  companion: WithCompanion;
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

/** What watches a page that has something in it. */
interface Rest {
  finish(): void;
  /** The page has become another one. */
  settle(): void;
  undo: Stop;
}

export function startCapture(options: CaptureOptions): Capture {
  const {version, transport, webSocketMessages = () => true, aiContext, gate = passAll} = options;
  const {leavesEarly} = transport;
  const isPopup = Boolean(opener);
  const placed = <T extends object>(item: T): T => (isPopup ? {tabId: POPUP_TAB, ...item} : item);
  // With the first event or a little later: until then it need not be there.
  const sender = onFirstUse(() => {
    const made = makeSender(transport, options.testId);
    const greeting = options.greeting?.();
    if (greeting) made.add(LOGS, placed(greeting));
    return made;
  });
  if (options.greeting) later(() => quietly(sender), GREETING_MS);
  const memory = onFirstUse(() => makeMemory(options.actionLimit));
  // A page that is leaving goes on until the next one comes, which nobody tells in time: what it says until then cannot wait.
  let lastWords = 0;
  const emit: Emit = (kind, payload) =>
    void quietly(() => {
      wake();
      gate(kind, payload, passed => {
        sender().add(STREAM_OF[kind], placed(passed));
        if (lastWords-- > 0) sender().leave();
      });
    });
  const record = (action: EnhancedAction): void => {
    memory().note(action);
    emit('action', action);
  };
  const act = (action: EnhancedAction): void => {
    if (memory().actionsEnabled) record(action);
  };
  const reports = new Set<Promise<void>>();
  const expect = async (report: Promise<void>): Promise<void> => {
    reports.add(report);
    await report;
    reports.delete(report);
  };
  const isOwn = (url: string): boolean => askedFor.has(url) || options.isOwn(url);
  const told = (entry: LogEntry): LogEntry => (entry.level === 'error' ? memory().enrich(entry) : entry);
  const log = (entry: LogEntry): void => emit('log', told(entry));
  const isNews = makeNovelty();
  const fail = (bare: LogEntry): void => {
    if (!aiContext.enabled) return log(bare);
    const error = nameError(told(bare));
    const wanted = isOfCode(error) && isNews(error);
    const explain = (by: Companion): LogEntry => by.enrichNow(error, wanted ? aiContext : {...aiContext, componentTree: false});
    const present = companion;
    const entry = present ? explain(present) : error;
    emit('log', entry);
    withCompanion(by => {
      // What is held until the companion comes is told with what it knows.
      if (!present) Object.assign(error, explain(by));
      if (wanted && aiContext.stateSnapshot) void expect(quietlyLater(async () => follow(entry, await by.enrichLater(entry, aiContext))));
      if (wanted && aiContext.sourceSnippets) for (const url of by.scriptsOf(entry.stack ?? '')) void expect(upload(by, url));
    });
  };
  const follow = ({_errorId}: LogEntry, context: AiContext): void => {
    if (!context.stateSnapshot || !_errorId) return;
    const more = {type: 'gasoline-enrichment', _errorId, _aiContext: context};
    gate('log', more, passed => sender().amend(LOGS, `"_errorId":"${_errorId}"`, entry => addContext(entry, context)) || sender().add(LOGS, passed));
  };
  const upload = async (by: Companion, url: string): Promise<void> => {
    for (const source of await by.readSource(url)) gate('log', source, passed => sender().addLarge(LOGS, passed));
  };
  const enrichError = async (entry: LogEntry): Promise<LogEntry> => {
    const known = told(entry);
    if (!aiContext.enabled || !companion) return known;
    const enriched = companion.enrichNow(known, aiContext);
    return addContext(enriched, await companion.enrichLater(enriched, aiContext));
  };
  const exchanges: (() => NetworkBody)[] = [];
  const describeAll = (): void => exchanges.splice(0).forEach(describe => quietly(() => emit('network', describe())));
  const network: NetworkSink = {
    exchange: describe => {
      if (exchanges.push(describe) === 1) later(describeAll, lastWords > 0 ? 0 : DESCRIBED_MS);
    },
    log,
    wantsSuccesses: () => options.all,
    isOwn,
    expect,
    waiting: new Map(),
  };
  const settle = (isLeaving: boolean): void => {
    quietly(() => {
      wake();
      rest?.finish();
      if (isLeaving) load()?.finish();
    });
    quietly(() => reportUnanswered(network));
    describeAll();
  };
  const leave = (): void => {
    settle(true);
    sender().leave();
    // A popup's empty page gives way to another one in the same window, which has not left.
    if (leavesEarly && !(isPopup && isBlank())) lastWords = LAST_WORDS;
  };
  let companion: Companion | undefined;
  const uses: ((companion: Companion) => void)[] = [];
  const withCompanion: WithCompanion = use => {
    if (companion) use(companion);
    // It may never come.
    else if (!uses[USES]) uses.push(use);
  };
  /** Perhaps before there is somebody to describe it. */
  const actBefore = (type: string, fields: EnhancedAction): void => {
    const startedMs = now();
    withCompanion(by => act({...by.newAction(type, undefined, now() - startedMs), ...fields}));
  };
  let unhear: Stop | undefined;
  const hearLeaving = (): Stop =>
    (unhear ??= stopAll([
      // `beforeunload` comes on navigation and not on close, `pagehide` on both but too late for some; a frame can be taken
      // out of its page; a hidden page may never be seen again.
      leavesEarly ? listen('beforeunload', leave) : undefined,
      leavesEarly && window === top ? undefined : listen('pagehide', leave),
      // One that leaves is hidden too, and has said all by then.
      listen('visibilitychange', () => document.hidden && lastWords <= 0 && (describeAll(), sender().flush())),
    ]));
  // A browser closes a page at once if nobody wants to hear of it, else when the page has nothing more to do. Should it stay
  // after all, it is heard again.
  const ignoreLeaving = (): void => {
    hearLeaving()();
    unhear = nothing;
    later(() => {
      unhear = undefined;
      if (isAwake) hearLeaving();
    }, CLOSING_MS);
  };
  const makeRest = (by: Companion): Rest => {
    const actions = quietly(() => by.captureActions(act));
    const dom = quietly(() => by.captureDom(snapshot => emit('dom', snapshot)));
    const deadClicks = quietly(() => by.captureDeadClicks(entry => memory().actionsEnabled && log(entry)));
    return {
      finish: () => actions?.finish(),
      settle() {
        actions?.finish();
        dom?.settle();
      },
      undo: stopAll([deadClicks, actions?.undo, dom?.undo]),
    };
  };
  let rest: Rest | undefined;
  const load = onFirstUse(() => quietly(() => companion?.capturePerformance(snapshot => emit('load', snapshot), isOwn)));
  let isAwake = false;
  /** What must not miss how the page begins and how it ends. */
  const watch = (): void => {
    isAwake = true;
    hearLeaving();
    // It may have been switched on since.
    companion?.watchState(aiContext);
    load();
  };
  /** There is something in the page. */
  const wake = (): void => {
    watch();
    rest ??= companion && makeRest(companion);
  };
  // Every tab of a driver begins with an empty page that most tests leave right away: there, the rest waits for something
  // to be in the page. A popup's first document may give way to another one in the same window, unseen.
  const isWaiting = isBlank() && !isPopup && window === top;
  const stopHearing = startAll([
    () => keepListening(wake, isWaiting),
    () =>
      captureNavigation((fromUrl, toUrl) => {
        rest?.settle();
        actBefore('navigate', {fromUrl: redactText(fromUrl), toUrl: redactText(toUrl)});
      }),
    () => captureDialogs(fields => actBefore('dialog', fields)),
    () => captureConsole(entry => (entry.level === 'error' ? fail : log)(entry)),
    () => captureErrors(fail, isOwn),
    () => captureFetch(network),
    () => captureXhr(network),
    () => captureEventSource(network),
    () => captureWebSocket({emit: event => emit('socket', event), isOwn, wantsMessages: webSocketMessages}),
  ]);
  options.companion(came => {
    companion = came;
    if (isAwake) wake();
    for (const use of uses.splice(0)) quietly(() => use(came));
  });
  if (!isWaiting) {
    watch();
    // A page that loads waits for us, and has nothing yet to look at or to click.
    if (isLoaded()) wake();
    else later(() => isAwake && quietly(wake), 0);
  }
  const stop: Stop = () => {
    aiContext.stateSnapshot = false;
    isAwake = false;
    stopAll([describeAll, stopHearing, hearLeaving(), rest?.undo, load()?.undo, sender().undo])();
  };
  const flush = async (nth?: Nth): Promise<string | undefined> => {
    settle(Boolean(nth));
    for (const report of reports) await report;
    describeAll();
    // From here on: what it has so far is the answer.
    if (nth) {
      lastWords = LAST_WORDS_CLOSING;
      ignoreLeaving();
    }
    // Not returned as the promise it is: that would call the page's own `then`.
    return await sender().flush(nth);
  };
  const api = onFirstUse(() => makePageApi({version, memory: memory(), aiContext, withCompanion, enrichError, record, flush, stop}));
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
