// What the settings leave of an event: all of it, some, or nothing.

import type {Events} from '../../capture/src/streams';
import {fieldsOf} from './narrow';
import type {LogLevel, Settings} from './settings';

const ORDER = ['debug', 'log', 'info', 'warn', 'error'];

const ALWAYS = new Set<unknown>(['dead-click', 'network', 'exception', 'gasoline-enrichment', 'gasoline-source']);

export type Kind = keyof Events;

const WANTED: Record<Kind, (settings: Settings, payload: object) => boolean> = {
  log: () => true,
  socket: ({webSocketCaptureEnabled, webSocketCaptureMode}, payload) =>
    webSocketCaptureEnabled && (webSocketCaptureMode === 'messages' || Reflect.get(payload, 'event') !== 'message'),
  network: settings => settings.networkBodyCaptureEnabled,
  action: settings => settings.actionReplayEnabled,
  load: settings => settings.performanceSnapshotEnabled,
  dom: () => true,
};

/** Whether the settings let an event of this kind through. */
export function isAdmitted(kind: Kind, payload: object, settings: Settings): boolean {
  return WANTED[kind](settings, payload) && (kind !== 'log' || (passesLevel(payload, settings.logLevel) && mayFollow(payload, settings)));
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

/** An event that they let through, as they let it: what was seen before they were known may say more than that. */
export function permitted<T extends object>(kind: Kind, payload: T, settings: Settings): T {
  if (kind === 'action' && !settings.enhancedSelectorsEnabled) return {...payload, selectors: {}};
  return kind === 'log' && Reflect.get(payload, 'level') === 'error' && Reflect.has(payload, '_errorId') ? withContextAllowed(payload, settings) : payload;
}

function withContextAllowed<T extends object>(entry: T, {aiContextEnabled, aiContextComponentTree, aiContextSourceSnippets}: Settings): T {
  const context = {...fieldsOf(Reflect.get(entry, '_aiContext')), ...(aiContextSourceSnippets ? {} : {sourceSnippets: []})};
  if (!aiContextComponentTree) Reflect.deleteProperty(context, 'componentAncestry');
  const allowed = {...entry};
  const enrichments: unknown = Reflect.get(entry, '_enrichments');
  const others: unknown[] = Array.isArray(enrichments) ? enrichments.filter(name => name !== 'aiContext') : [];
  const hasContext = aiContextEnabled && Object.keys(context).length > 0;
  if (hasContext) Reflect.set(allowed, '_aiContext', context);
  else Reflect.deleteProperty(allowed, '_aiContext');
  if (!aiContextEnabled) Reflect.deleteProperty(allowed, '_errorId');
  if (Array.isArray(enrichments) || hasContext) Reflect.set(allowed, '_enrichments', hasContext ? [...others, 'aiContext'] : others);
  return allowed;
}
