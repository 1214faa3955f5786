// gasoline-ci.js: the capture as one file, put into a page by a test or a driver.

import {startCapture} from './capture';
import {companion} from './companion';
import type {AiContextSettings} from './errorEntry';
import {logEntry} from './logEntry';
import {at, bare, get, isBlank, isCallable, isText} from './native';
import {quietly} from './patch';
import {bindingTransport} from './transports/binding';
import {postTransport} from './transports/post';
import type {LogEntry} from './wire';

declare const VERSION: string;

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = '7890';

function setting(name: string): unknown {
  return get(window, name);
}

/** A setting of the page's, as `window.__GASOLINE_HOST`. */
function text(name: string): string | null {
  const value = setting(`__GASOLINE_${name}`);
  return isText(value) || typeof value === 'number' ? String(value) : null;
}

/** `false`, or an object with any of the three that differ from what is the rule. */
function aiContext(): AiContextSettings {
  const asked = setting('__GASOLINE_AI_CONTEXT');
  const flag = (name: string, usual: boolean): boolean => Boolean(at(asked, name) ?? usual);
  return {enabled: asked !== false, sourceSnippets: flag('sourceSnippets', true), componentTree: flag('componentTree', true), stateSnapshot: flag('stateSnapshot', false)};
}

function greet(): LogEntry {
  const metadata = {testId: text('TEST_ID'), captureVersion: VERSION};
  return logEntry({level: 'info', type: 'gasoline-ci', message: '[gasoline-ci] Capture initialized', metadata});
}

function start(): void {
  if (setting('__gasoline') !== undefined) return;
  const host = text('HOST') ?? DEFAULT_HOST;
  const port = text('PORT') ?? DEFAULT_PORT;
  const own = new Set([host, DEFAULT_HOST, 'localhost'].map(name => `${name}:${port}`));
  const binding = setting('__gasolineSend');
  const capture = startCapture({
    version: VERSION,
    transport: isCallable(binding) ? bindingTransport(binding) : postTransport(`http://${host}:${port}`, text('TOKEN')),
    all: text('CAPTURE_MODE') === 'all',
    testId: () => text('TEST_ID'),
    greeting: () => (isBlank() ? null : greet()),
    aiContext: aiContext(),
    companion: use => use(companion),
    isOwn: url => own.has(/^\w+:\/\/([^/?#]*)/.exec(url)?.[1] ?? ''),
  });
  Object.defineProperty(window, '__gasoline', bare({get: () => capture.api, configurable: true}));
}

quietly(start);
