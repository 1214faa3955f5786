// How a page load went: one snapshot, two seconds after it.

import {onceLoaded} from './loaded';
import {entriesOf, epochNow, isLoaded, isoTime, later, pageUrl} from './native';
import {nothing, quietly, stopAll, type Stop} from './patch';
import {redactText} from './redact';
import {observe, readVitals, type Vitals} from './vitals';
import type {NetworkTotals, PerformanceSnapshot} from './wire';

const SETTLE_MS = 2000;
const LONG_TASKS = 50;
const BLOCKING_FROM_MS = 50;
const SLOWEST = 3;
const URL_CHARS = 80;

export interface PerformanceCapture {
  undo: Stop;
  /** A page left before it settled still tells what it knows. */
  finish(): void;
}

export function capturePerformance(emit: (snapshot: PerformanceSnapshot) => void, isOwn: (url: string) => boolean): PerformanceCapture {
  // A frame's load is part of its page's, and a blank page is none.
  let done = window !== top || pageUrl().startsWith('about:');
  if (done) return {undo: nothing, finish: nothing};
  const tasks: number[] = [];
  const finish = (): void => {
    if (done || !isLoaded()) return;
    done = true;
    emit(takeSnapshot(readVitals(), tasks, isOwn));
  };
  const undo = stopAll([
    // Of these, browsers do not keep all for who comes later.
    observe({type: 'longtask'}, task => tasks.length < LONG_TASKS && tasks.push(task.duration)),
    onceLoaded(() => later(() => quietly(finish), SETTLE_MS)),
    () => (done = true),
  ]);
  return {undo, finish};
}

function takeSnapshot(vitals: Vitals, tasks: readonly number[], isOwn: (url: string) => boolean): PerformanceSnapshot {
  const timestamp = isoTime(epochNow());
  const [timing] = timingsOf('navigation');
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  return {
    url: location.pathname,
    ts: timestamp,
    timestamp,
    timing: {
      domContentLoaded: timing?.domContentLoadedEventEnd ?? null,
      load: timing?.loadEventEnd ?? null,
      firstContentfulPaint: paint?.startTime ?? null,
      largestContentfulPaint: vitals.lcp,
      interactionToNextPaint: vitals.inp,
      timeToFirstByte: timing?.responseStart ?? null,
      domInteractive: timing?.domInteractive ?? null,
    },
    network: summariseResources(timing, isOwn),
    longTasks: {
      count: tasks.length,
      totalBlockingTime: tasks.reduce((sum, task) => sum + Math.max(0, task - BLOCKING_FROM_MS), 0),
      longest: Math.max(0, ...tasks),
    },
    cumulativeLayoutShift: vitals.cls,
  };
}

// By what it has: browsers take a while to make an interface that is named for the first time.
function timingsOf(type: string): PerformanceNavigationTiming[] {
  return entriesOf(type).filter((entry): entry is PerformanceNavigationTiming => 'transferSize' in entry);
}

function summariseResources(page: PerformanceNavigationTiming | undefined, isOwn: (url: string) => boolean): NetworkTotals {
  const resources = timingsOf('resource').filter(({name}) => !isOwn(name));
  const byType: Record<string, {count: number; size: number}> = {};
  let transferSize = page?.transferSize ?? 0;
  let decodedSize = page?.decodedBodySize ?? 0;
  for (const resource of resources) {
    const total = (byType[resource.initiatorType || 'other'] ??= {count: 0, size: 0});
    total.count++;
    total.size += resource.transferSize;
    transferSize += resource.transferSize;
    decodedSize += resource.decodedBodySize;
  }
  return {
    requestCount: resources.length + (page ? 1 : 0),
    transferSize,
    decodedSize,
    byType,
    slowestRequests: resources
      .sort((one, other) => other.duration - one.duration)
      .slice(0, SLOWEST)
      .map(({name, duration, transferSize: size}) => ({url: redactText(name).slice(0, URL_CHARS), duration, size})),
  };
}
