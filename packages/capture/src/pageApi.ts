// `window.__gasoline`: what a page, a test or a runner may ask of the capture inside it.

import type {Companion, WithCompanion} from './companion';
import type {AiContextSettings} from './errorEntry';
import {entriesOf, get, isElement, isText, stringify} from './native';
import {quietly, type Stop} from './patch';
import type {ScriptOptions} from './playwright';
import {redactText} from './redact';
import type {Nth} from './sender';
import {serialize} from './serialize';
import type {EnhancedAction, LogEntry, Selectors} from './wire';

const KEYS = 50;
const KEY_CHARS = 100;
const VALUE_CHARS = 4096;
const ACTIONS = 50;
const ACTIONS_IN_ENTRY = 5;

interface Limit {
  limit?: number;
}

export interface PageApi {
  version: string;
  annotate(key: unknown, value: unknown): boolean;
  removeAnnotation(key: string): boolean;
  clearAnnotations(): void;
  getContext(): Record<string, unknown> | null;
  getActions(): EnhancedAction[];
  clearActions(): void;
  setActionCapture(enabled: boolean): void;
  getEnhancedActions(): EnhancedAction[];
  clearEnhancedActions(): void;
  recordAction(type: string, element: unknown, options?: EnhancedAction): void;
  generateScript(actions?: readonly EnhancedAction[], options?: ScriptOptions): string;
  getSelectors(element: unknown): Selectors | null;
  setNetworkWaterfall(enabled: boolean): void;
  getNetworkWaterfall(options?: Limit & {since?: number}): Record<string, unknown>[];
  setPerformanceMarks(enabled: boolean): void;
  getMarks(options?: Limit): Record<string, unknown>[];
  getMeasures(options?: Limit): Record<string, unknown>[];
  enrichError(entry: LogEntry): Promise<LogEntry>;
  setAiContext(enabled: boolean): void;
  setStateSnapshot(enabled: boolean): void;
  getDomSnapshot(): unknown;
  flush(nth?: Nth): Promise<string | undefined>;
  stop(): void;
}

/** Annotations and recent actions: what an error entry carries as its context. */
export interface PageMemory {
  actionsEnabled: boolean;
  /** What of it the page may ask for. */
  asked: Pick<PageApi, 'annotate' | 'removeAnnotation' | 'clearAnnotations' | 'getContext' | 'getActions' | 'clearActions'>;
  note(action: EnhancedAction): void;
  /** An error's entry with what the page told us and what the user did before it. */
  enrich(entry: LogEntry): LogEntry;
}

export function makeMemory(actionLimit: () => number = () => ACTIONS): PageMemory {
  const annotations = new Map<string, unknown>();
  let actions: EnhancedAction[] = [];
  const context = (): Record<string, unknown> | null => (annotations.size > 0 ? Object.fromEntries(annotations) : null);
  const annotate = (key: unknown, value: unknown): boolean => {
    if (!isText(key) || key.length < 1 || key.length > KEY_CHARS) return false;
    if (!annotations.has(key) && annotations.size >= KEYS) return false;
    const plain = serialize(value);
    const fits = (stringify(plain) ?? '').length <= VALUE_CHARS;
    annotations.set(key, fits ? plain : '[Value too large]');
    return fits;
  };
  return {
    actionsEnabled: true,
    asked: {
      annotate: (key, value) => quietly(() => annotate(key, value)) ?? false,
      removeAnnotation: key => annotations.delete(key),
      clearAnnotations: () => annotations.clear(),
      getContext: context,
      getActions: () => actions.slice(-actionLimit()),
      clearActions: () => void (actions = []),
    },
    note(action) {
      actions.push(action);
      if (actions.length > actionLimit()) actions.shift();
    },
    enrich(entry) {
      const told = context();
      const done = actions.slice(-ACTIONS_IN_ENTRY).map(({ts, type, target, text, position}) => ({ts, type, target, text, ...position}));
      const enrichments = [told && 'context', done[0] && 'userActions'].filter(isText);
      return enrichments[0] ? {...entry, _enrichments: enrichments, _context: told ?? undefined, _actions: done[0] && done} : entry;
    },
  };
}

export interface PageApiParts {
  version: string;
  memory: PageMemory;
  aiContext: AiContextSettings;
  withCompanion: WithCompanion;
  enrichError: (entry: LogEntry) => Promise<LogEntry>;
  record: (action: EnhancedAction) => void;
  flush: PageApi['flush'];
  stop: Stop;
}

export function makePageApi({version, memory, aiContext, withCompanion, enrichError, record, flush, stop}: PageApiParts): PageApi {
  let waterfall = true;
  let marks = true;
  const {asked} = memory;
  // A page that asks before it is there gets what there is without.
  const ask = <T>(use: (companion: Companion) => T, otherwise: T): T => {
    let answer = otherwise;
    quietly(() => withCompanion(companion => (answer = use(companion))));
    return answer;
  };
  const listOf = (type: string) => ({limit = 50}: Limit = {}): Record<string, unknown>[] => (marks ? timeline(type, limit).map(describeMark) : []);
  return {
    version,
    ...asked,
    setActionCapture: enabled => void (memory.actionsEnabled = enabled),
    getEnhancedActions: asked.getActions,
    clearEnhancedActions: asked.clearActions,
    recordAction: (type, element, options) =>
      ask(({newAction, pointAt}) => record({...newAction(type), ...pointAt(isElement(element) ? element : null), ...options}), undefined),
    generateScript: (actions = asked.getActions(), options) => ask(by => by.writeScript(actions, options), ''),
    getSelectors: element => (isElement(element) ? ask(by => by.selectorsOf(element), null) : null),
    setNetworkWaterfall: enabled => void (waterfall = enabled),
    getNetworkWaterfall: ({since = 0, limit = 100} = {}) =>
      waterfall ? timeline('resource', limit, since).map(describeResource) : [],
    setPerformanceMarks: enabled => void (marks = enabled),
    getMarks: listOf('mark'),
    getMeasures: listOf('measure'),
    enrichError,
    setAiContext: enabled => void (aiContext.enabled = enabled),
    setStateSnapshot: enabled => void (aiContext.stateSnapshot = enabled),
    getDomSnapshot: () => ask<unknown>(by => by.takeSnapshot(), null),
    flush,
    stop,
  };
}

function timeline(type: string, limit: number, since: number = 0): PerformanceEntryList {
  const entries = quietly(() => entriesOf(type)) ?? [];
  return entries.filter(entry => entry.startTime >= since).slice(-limit);
}

function describeResource(entry: PerformanceEntry): Record<string, unknown> {
  const {startTime, duration} = entry;
  return {url: redactText(entry.name), initiatorType: get(entry, 'initiatorType'), startTime, duration, transferSize: get(entry, 'transferSize')};
}

function describeMark({name, startTime, duration}: PerformanceEntry): Record<string, unknown> {
  return {name, startTime, duration};
}
