// A server for the run: one that answers already, or one that ends with the run.

import {spawn} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {userInfo, tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';

import type {Server} from './server';
import {STARTER, isAlive} from './users';

const START_MS = 5000;
const POLL_MS = 25;

/** Make sure that a server answers, and that it stays until this run is over. Says why if there is none. */
export async function ensureServer(server: Server, binary: string): Promise<string | undefined> {
  const users = join(tmpdir(), `gasoline-playwright-${userInfo().uid}-${server.port}`);
  if (await server.answers()) {
    // A server that a run started has such a folder; one that the user started has not, and stays.
    if (existsSync(users)) register(users);
    return undefined;
  }
  mkdirSync(users, {recursive: true});
  register(users);
  const starter = join(users, STARTER);
  // Several workers come here at once: one starts it, the others wait for it.
  if (!claim(starter)) return waitFor(server, () => undefined);
  try {
    return (await server.answers()) ? undefined : await start(server, binary, users);
  } finally {
    rmSync(starter, {force: true});
  }
}

// The run, not this worker: workers come and go with every failure.
function register(users: string): void {
  writeFileSync(join(users, String(process.ppid)), '');
}

function claim(starter: string): boolean {
  try {
    writeFileSync(starter, String(process.pid), {flag: 'wx'});
    return true;
  } catch {
    if (isAlive(readPid(starter))) return false;
    // Whoever began did not live to end it.
    writeFileSync(starter, String(process.pid));
    return true;
  }
}

function readPid(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

// Detached: the keeper outlives this worker, and ends when no run uses the server any more.
async function start(server: Server, binary: string, users: string): Promise<string | undefined> {
  let ended: string | undefined;
  const keeper = spawn(process.execPath, [join(__dirname, 'keeper.js'), users, String(server.port), binary], {
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {...process.env, NODE_OPTIONS: ''},
  });
  keeper.on('message', said => (ended = String(said)));
  const problem = await waitFor(server, () => ended);
  if (keeper.connected) keeper.disconnect();
  keeper.unref();
  return problem;
}

async function waitFor(server: Server, ended: () => string | undefined): Promise<string | undefined> {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline; await wait(POLL_MS)) {
    if (await server.answers()) return undefined;
    const problem = ended();
    if (problem !== undefined) return problem;
  }
  return `no server answered on port ${server.port} within ${START_MS / 1000} s`;
}
