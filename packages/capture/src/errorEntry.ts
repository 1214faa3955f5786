// An error's entry: under which id it is known, whether it is news, and what is added to it.

import {epochNow, now, randomWord} from './native';
import type {AiContext, LogEntry} from './wire';

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

export function nameError(entry: LogEntry): LogEntry {
  return {...entry, _errorId: `err_${epochNow()}_${randomWord()}`};
}

/** Only what code said or did: a file that is missing has no component. */
export function isOfCode({type}: LogEntry): boolean {
  return type === 'exception' || type === 'console';
}

export function addContext(entry: LogEntry, context: AiContext): LogEntry {
  if (Object.keys(context).length === 0) return entry;
  return {...entry, _aiContext: context, _enrichments: [...new Set([...(entry._enrichments ?? []), 'aiContext'])]};
}
