// What page scripts of the past call what they tell.

import type {Kind} from './admission';

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
