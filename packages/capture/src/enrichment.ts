// What an error is told with beyond itself: the components around it and the state of the app.

import {lastActed} from './actions';
import {ancestryInText, ancestryOf} from './components';
import {epochNow, now, pause, randomWord} from './native';
import {quietly} from './patch';
import {snapshotState} from './state';
import type {AiContext, LogEntry} from './wire';

// An action this long before an error may have caused it.
const CAUSE_MS = 1000;
// The same error again tells nothing new, and many at once must not cost much.
const REPEAT_MS = 5000;
const AT_ONCE = 20;

/** What the user lets us look at. */
export interface AiContextSettings {
  enabled: boolean;
  sourceSnippets: boolean;
  componentTree: boolean;
  stateSnapshot: boolean;
}

/** Errors that differ, each once in a while. */
export function makeNovelty(): (entry: LogEntry) => boolean {
  const told = new Map<string, number>();
  return ({message, stack}) => {
    const at = now();
    for (const [signature, before] of told) if (at - before > REPEAT_MS) told.delete(signature);
    const signature = `${message}\n${stack}`;
    if (told.has(signature) || told.size >= AT_ONCE) return false;
    told.set(signature, at);
    return true;
  };
}

/** An error's entry under an id of its own, with what is known at once. */
export function enrichNow(entry: LogEntry, {sourceSnippets, componentTree}: AiContextSettings): LogEntry {
  // An empty list keeps the server from looking for the source.
  return addContext(entry, {...(sourceSnippets ? {} : {sourceSnippets: []}), ...(componentTree && componentsAround(entry))});
}

/** What takes longer. */
export async function enrichLater(entry: LogEntry, {stateSnapshot}: AiContextSettings): Promise<AiContext> {
  await pause(0);
  const state = stateSnapshot && quietly(() => snapshotState(entry.message ?? ''));
  return state ? {...entry._aiContext, stateSnapshot: state} : {};
}

export function nameError(entry: LogEntry): LogEntry {
  return {...entry, _errorId: `err_${epochNow()}_${randomWord()}`};
}

/** Only what code said or did: a file that is missing has no component. */
export function isOfCode({type}: LogEntry): boolean {
  return type === 'exception' || type === 'console';
}

function componentsAround({message = ''}: LogEntry): AiContext {
  const componentAncestry = quietly(() => {
    const acted = now() - lastActed.atMs < CAUSE_MS && ancestryOf(lastActed.element);
    return acted || (ancestryInText(message) ?? ancestryOf(document.activeElement));
  });
  return componentAncestry ? {componentAncestry} : {};
}

export function addContext(entry: LogEntry, context: AiContext): LogEntry {
  if (Object.keys(context).length === 0) return entry;
  return {...entry, _aiContext: context, _enrichments: [...new Set([...(entry._enrichments ?? []), 'aiContext'])]};
}
