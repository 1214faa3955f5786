// What an error is told with beyond itself: the components around it and the state of the app.

import {lastActed} from './actions';
import {ancestryInText, ancestryOf} from './components';
import {addContext, type AiContextSettings} from './errorEntry';
import {now, pause} from './native';
import {quietly} from './patch';
import {snapshotState} from './state';
import type {AiContext, LogEntry} from './wire';

// An action this long before an error may have caused it.
const CAUSE_MS = 1000;

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

function componentsAround({message = ''}: LogEntry): AiContext {
  const componentAncestry = quietly(() => {
    const acted = now() - lastActed.atMs < CAUSE_MS && ancestryOf(lastActed.element);
    return acted || (ancestryInText(message) ?? ancestryOf(document.activeElement));
  });
  return componentAncestry ? {componentAncestry} : {};
}
