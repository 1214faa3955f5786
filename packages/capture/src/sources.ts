// Source maps that only the page can reach: a server on this machine does not call other hosts.

import {readBeginning} from './body';
import {bare, nativeFetch} from './native';
import {askedFor} from './network';
import type {ToldEntry} from './streams';

const FRAMES = 3;
const SCRIPTS = 20;
const PATIENCE_MS = 2000;
const FILE_MB = 16;
// The server takes batches of 5 MB; a character may take three bytes, and an escape as many.
const PART_CHARS = 1e6;
const LOOPBACK = /^(127\.|\[::1\])|(^|\.)localhost$/;

/** The scripts that a stack begins in, of this page's own origin, each once. */
export function scriptsOf(stack: string): string[] {
  if (LOOPBACK.test(location.hostname)) return [];
  const scripts = (stack.match(/https?:\/\/.+?(?=:\d+:\d+)/g) ?? []).slice(0, FRAMES);
  return scripts.filter(url => {
    if (!url.startsWith(`${location.origin}/`) || askedFor.has(url) || askedFor.size > SCRIPTS) return false;
    askedFor.add(url);
    return true;
  });
}

/** The source map of a script in parts, or why there is none. */
export async function readSource(url: string): Promise<ToldEntry[]> {
  const type = 'gasoline-source';
  try {
    const map = await readMapOf(url);
    const parts = Math.ceil(map.length / PART_CHARS) || 1;
    return Array.from({length: parts}, (_, part) => ({type, url, map: map.slice(part * PART_CHARS, (part + 1) * PART_CHARS), part, parts}));
  } catch (error) {
    return [{type, url, error: String(error)}];
  }
}

async function readMapOf(script: string): Promise<string> {
  const text = await read(script);
  const named = [...text.matchAll(/\/\/[#@] ?sourceMappingURL=(\S+)\s*$/gm)].at(-1)?.[1];
  if (named === undefined) throw new Error('no source map is named');
  const {href, origin, protocol} = new URL(named, script);
  if (protocol !== 'data:' && origin !== location.origin) throw new Error('the source map is elsewhere');
  return read(href);
}

async function read(url: string): Promise<string> {
  askedFor.add(url);
  const request: RequestInit = {cache: 'force-cache', signal: AbortSignal.timeout(PATIENCE_MS)};
  const {ok, status, body} = await nativeFetch(url, bare(request));
  if (!ok || !body) throw new Error(`${url} answered ${status}`);
  const {text, isCut} = await readBeginning(body, FILE_MB * 1e6, PATIENCE_MS);
  if (isCut || text === null) throw new Error(`over ${FILE_MB} MB or ${PATIENCE_MS} ms`);
  return text;
}
