// A command as a user writes it.

import {existsSync} from 'node:fs';

/** The program and its arguments; a path with spaces is one program. */
export function splitCommand(command: string): [string, ...string[]] {
  if (existsSync(command)) return [command];
  const [program = '', ...args] = command.trim().split(/\s+/);
  return [program, ...args];
}
