// What a test is called on the server.

import {createHash} from 'node:crypto';

// The server refuses longer ones.
const LONGEST = 4096;
const SEPARATOR = ' > ';

export interface TestPlace {
  /** File, describe blocks, title. */
  titlePath: readonly string[];
  project: string;
  projectCount: number;
  repeatEachIndex: number;
}

/** The title path; with the project's name where several run the same test, and so on for repetitions. */
export function nameTest({titlePath, project, projectCount, repeatEachIndex}: TestPlace): string {
  const parts = [...titlePath];
  if (projectCount > 1 && project) parts.unshift(`[${project}]`);
  if (repeatEachIndex > 0) parts.push(`(repetition ${repeatEachIndex + 1})`);
  // Through UTF-8 and back: half a surrogate pair is no text to JSON.
  return shorten(Buffer.from(parts.join(SEPARATOR)).toString());
}

function shorten(id: string): string {
  if (id.length <= LONGEST) return id;
  const mark = ` #${createHash('sha256').update(id).digest('hex').slice(0, 12)}`;
  return Buffer.from(id.slice(0, LONGEST - mark.length)).toString() + mark;
}
