// What leaves the page: each event against the settings, before it is numbered and counted.

import type {Gate as CoreGate} from '../../capture/src/capture';
import type {Events} from '../../capture/src/streams';
import type {LogLevel, Settings} from './settings';

// As many as the sender would queue.
const HELD = 10_000;
const ORDER = ['debug', 'log', 'info', 'warn', 'error'];

const ALWAYS = new Set<unknown>(['dead-click', 'network', 'exception', 'gasoline-enrichment', 'gasoline-source']);

type Kind = keyof Events;

const WANTED: Record<Kind, (settings: Settings) => boolean> = {
  log: () => true,
  socket: settings => settings.webSocketCaptureEnabled,
  network: settings => settings.networkBodyCaptureEnabled,
  action: settings => settings.actionReplayEnabled,
  load: settings => settings.performanceSnapshotEnabled,
  dom: () => true,
};

// What page scripts of the past call them.
const OLD_NAMES = new Map<unknown, Kind>([
  ['DEV_CONSOLE_LOG', 'log'],
  ['GASOLINE_LOG', 'log'],
  ['GASOLINE_WS', 'socket'],
  ['GASOLINE_NETWORK_BODY', 'network'],
  ['GASOLINE_ENHANCED_ACTION', 'action'],
  ['GASOLINE_PERFORMANCE_SNAPSHOT', 'load'],
  ['GASOLINE_DOM_SNAPSHOT', 'dom'],
]);

export function kindOf(oldName: unknown): Kind | undefined {
  return OLD_NAMES.get(oldName);
}

/** Whether the settings let an event of this kind through. */
export function isAdmitted(kind: Kind, payload: object, settings: Settings): boolean {
  return WANTED[kind](settings) && (kind !== 'log' || (passesLevel(payload, settings.logLevel) && mayFollow(payload, settings)));
}

/** What follows an error may have been read before the settings were known. */
function mayFollow(entry: object, {aiContextEnabled, aiContextSourceSnippets, aiContextStateSnapshot}: Settings): boolean {
  const type: unknown = Reflect.get(entry, 'type');
  if (type === 'gasoline-source') return aiContextEnabled && aiContextSourceSnippets;
  return type !== 'gasoline-enrichment' || (aiContextEnabled && aiContextStateSnapshot);
}

/** Failed requests, exceptions and what follows them always pass, whatever the level. */
export function passesLevel(entry: object, least: LogLevel): boolean {
  const type: unknown = Reflect.get(entry, 'type');
  if (least === 'all' || ALWAYS.has(type)) return true;
  const level: unknown = Reflect.get(entry, 'level');
  return typeof level === 'string' && ORDER.indexOf(level) >= ORDER.indexOf(least);
}

/** Holds what comes before the settings are known, then lets through what they admit. */
export class Gate {
  /** How many events found no room here that the settings would have let through. */
  lost = 0;
  #settings: Settings | null = null;
  #active = false;
  #held: (() => void)[] = [];
  readonly #missed = new Map<string, Missed>();

  /** Said of every event that passes. */
  constructor(readonly passed: (kind: Kind, payload: object) => void) {}

  /** Change an event that passes; set once there is something to add. */
  complete: <K extends Kind>(kind: K, payload: Events[K], settings: Settings) => Events[K] = (_kind, payload) => payload;

  open(settings: Settings, active: boolean): void {
    this.#settings = settings;
    this.#active = active;
    for (const {kind, like, count} of this.#missed.values()) if (active && isAdmitted(kind, like, settings)) this.lost += count;
    this.#missed.clear();
    const held = this.#held;
    this.#held = [];
    held.forEach(admit => admit());
  }

  readonly see: CoreGate = (kind, payload, pass) => {
    const settings = this.#settings;
    if (settings === null) {
      if (this.#held.length < HELD) this.#held.push(() => this.see(kind, payload, pass));
      else this.#miss(kind, payload);
      return;
    }
    if (!this.#active || !isAdmitted(kind, payload, settings)) return;
    const complete = this.complete(kind, payload, settings);
    pass(complete);
    this.passed(kind, complete);
  };

  // Whether it would have passed is decided later, by all that decides it.
  #miss(kind: Kind, payload: object): void {
    const like = {type: Reflect.get(payload, 'type'), level: Reflect.get(payload, 'level')};
    const key = [kind, like.type, like.level].map(String).join();
    const missed = this.#missed.get(key) ?? {kind, like, count: 0};
    missed.count++;
    this.#missed.set(key, missed);
  }
}

interface Missed {
  kind: Kind;
  like: object;
  count: number;
}
