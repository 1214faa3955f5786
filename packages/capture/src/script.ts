// gasoline-ci.js: the capture as one file, put into a page by a test or a driver.

import {startCapture} from './capture';
import {logEntry} from './logEntry';
import {bare, get} from './native';
import {quietly} from './patch';
import {bindingTransport, type Binding} from './transports/binding';
import {postTransport} from './transports/post';

declare const VERSION: string;

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = '7890';

function setting(name: string): unknown {
  return get(window, name);
}

function text(name: string): string | null {
  const value = setting(name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

function isBinding(value: unknown): value is Binding {
  return typeof value === 'function';
}

function start(): void {
  if (setting('__gasoline') !== undefined) return;
  const host = text('__GASOLINE_HOST') ?? DEFAULT_HOST;
  const port = text('__GASOLINE_PORT') ?? DEFAULT_PORT;
  const own = new Set([host, DEFAULT_HOST, 'localhost'].map(name => `${name}:${port}`));
  const binding = setting('__gasolineSend');
  const capture = startCapture({
    version: VERSION,
    transport: isBinding(binding) ? bindingTransport(binding) : postTransport(`http://${host}:${port}`, text('__GASOLINE_TOKEN')),
    mode: text('__GASOLINE_CAPTURE_MODE') === 'all' ? 'all' : 'errors-only',
    testId: () => text('__GASOLINE_TEST_ID'),
    isOwn: url => own.has(/^\w+:\/\/([^/?#]*)/.exec(url)?.[1] ?? ''),
  });
  Object.defineProperty(window, '__gasoline', bare({value: capture.api, configurable: true}));
  if (location.href === 'about:blank') return;
  const metadata = {testId: text('__GASOLINE_TEST_ID'), captureVersion: VERSION};
  capture.emit('DEV_CONSOLE_LOG', logEntry({level: 'info', type: 'gasoline-ci', message: '[gasoline-ci] Capture initialized', metadata}));
}

quietly(start);
