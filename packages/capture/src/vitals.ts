// Core Web Vitals of the current page, by Google's definitions. The web-vitals library is made to
// report once, when a page ends, and takes 8 KB for it; a snapshot needs the values so far. Tests
// hold these against that library's.

import {get} from './native';
import {quietly, stopAll, type Stop} from './patch';

const SESSION_GAP_MS = 1000;
const SESSION_MS = 5000;
const INTERACTIONS_KEPT = 10;
const INTERACTIONS_PER_OUTLIER = 50;

export interface Vitals {
  lcp: number | null;
  cls: number | null;
  inp: number | null;
}

/**
 * The values so far. Browsers keep what makes them for who comes later (of interactions the first, and those over about 0.1 s),
 * so that a page has nothing to do for them before it is asked.
 */
export function readVitals(): Vitals {
  const vitals: Vitals = {lcp: null, cls: null, inp: null};
  observe({type: 'largest-contentful-paint'}, entry => (vitals.lcp = entry.startTime))();
  watchLayoutShifts(value => (vitals.cls = value))();
  watchInteractions(value => (vitals.inp = value))();
  return vitals;
}

/** The worst burst of shifts: at most a second between two, five seconds in all. */
function watchLayoutShifts(tell: (value: number) => void): Stop {
  let worst = 0;
  let burst = 0;
  let first = 0;
  let last = 0;
  quietly(() => PerformanceObserver.supportedEntryTypes?.includes('layout-shift') && tell(0));
  return observe({type: 'layout-shift'}, entry => {
    if (numberOf(entry, 'hadRecentInput')) return;
    const value = numberOf(entry, 'value');
    const joins = burst > 0 && entry.startTime - last < SESSION_GAP_MS && entry.startTime - first < SESSION_MS;
    burst = joins ? burst + value : value;
    if (!joins) first = entry.startTime;
    last = entry.startTime;
    if (burst > worst) tell((worst = burst));
  });
}

/** The slowest interaction, leaving out one outlier for every fifty. */
function watchInteractions(tell: (value: number) => void): Stop {
  const slowest = new Map<number, number>();
  const see = (entry: PerformanceEntry): void => {
    const id = numberOf(entry, 'interactionId');
    if (id === 0) return;
    slowest.set(id, Math.max(slowest.get(id) ?? 0, entry.duration));
    const ranked = [...slowest].sort(([, one], [, other]) => other - one);
    for (const [id] of ranked.splice(INTERACTIONS_KEPT)) slowest.delete(id);
    const outliers = Math.floor(numberOf(performance, 'interactionCount') / INTERACTIONS_PER_OUTLIER);
    tell(ranked[Math.min(ranked.length - 1, outliers)]?.[1] ?? 0);
  };
  // The first one counts however quick it was.
  return stopAll([observe({type: 'event'}, see), observe({type: 'first-input'}, see)]);
}

export function observe(options: PerformanceObserverInit, see: (entry: PerformanceEntry) => void): Stop {
  const observer = quietly(() => {
    const made = new PerformanceObserver(list => quietly(() => list.getEntries().forEach(see)));
    made.observe({...options, buffered: true});
    // What the browser has kept so far is there at once.
    made.takeRecords().forEach(see);
    return made;
  });
  return () => observer?.disconnect();
}

// TypeScript's own types do not know all of these fields.
function numberOf(holder: object, name: string): number {
  return Number(get(holder, name) ?? 0);
}
