// What the page writes to its console.

import {isText} from './native';
import {formatMessage} from './format';
import {logEntry} from './logEntry';
import {observeCalls, stopAll, type Stop} from './patch';
import {cut, serializeAll} from './serialize';
import type {LogEntry} from './wire';

const LEVELS = ['log', 'warn', 'error', 'info', 'debug'] as const;

export function captureConsole(emit: (entry: LogEntry) => void): Stop {
  const write = (level: string, args: readonly unknown[], extra?: LogEntry): void => {
    const plain = serializeAll(args);
    emit(logEntry({level, type: 'console', message: cut(formatMessage(args, plain)), args: plain, ...extra}));
  };
  return stopAll([
    ...LEVELS.map(level => observeCalls(console, level, args => write(level, args))),
    observeCalls(console, 'trace', args => write('log', args, {method: 'trace', stack: callerStack()})),
    observeCalls(console, 'assert', ([condition, ...args]) => {
      if (condition) return;
      const [first, ...rest] = args;
      const said = isText(first) ? [`Assertion failed: ${first}`, ...rest] : ['Assertion failed', ...args];
      write('error', said, {method: 'assert', stack: callerStack()});
    }),
  ]);
}

// Everything up to the proxy that the page called is ours and tells nobody anything.
const PROXY_FRAME = 'Object.apply ';

function callerStack(): string {
  const lines = String(new Error('').stack).split('\n');
  const own = lines.findLastIndex(line => line.includes(PROXY_FRAME));
  return ['Trace', ...lines.slice(own + 1)].join('\n');
}
