// Runs a server for as long as test runs use it: `node keeper.js USERS PORT BINARY`. USERS is a folder with a file for each run's process.

import {spawn} from 'node:child_process';
import {readdirSync, rmSync} from 'node:fs';

import {splitCommand} from './command';
import {isAlive} from './users';

const LOOK_MS = 250;

const [users = '', port = '', binary = ''] = process.argv.slice(2);
const [command, ...args] = splitCommand(binary);
const server = spawn(command, [...args, 'serve', '--port', port], {stdio: ['ignore', 'ignore', 'pipe']});

let said = '';
server.stderr.setEncoding('utf8');
server.stderr.on('data', (text: string) => (said = (said + text).slice(-1000)));
server.on('error', problem => leave(`\`${binary}\` could not be started: ${problem.message}`));
server.on('close', () => leave(said.trim().split('\n').at(-1) || `\`${binary} serve\` ended`));

const looking = setInterval(() => {
  if (!isUsed()) server.kill();
}, LOOK_MS);

function isUsed(): boolean {
  try {
    return readdirSync(users).some(name => isAlive(Number(name)));
  } catch {
    // Somebody cleaned the temporary folder: better no server than one that nobody ever ends.
    return false;
  }
}

// The worker that waits for the server is told; later nobody listens.
function leave(why: string): void {
  clearInterval(looking);
  if (!isUsed()) rmSync(users, {recursive: true, force: true});
  if (process.connected) process.send?.(why, () => process.exit(1));
  else process.exit(0);
}
