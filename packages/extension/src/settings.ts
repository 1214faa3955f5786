// Everything the user can set, with the defaults of the contract, and what the server may override.

import {fieldsOf, numberOf, textOf, textsOf, type Fields} from './narrow';

const FLAGS = {
  webSocketCaptureEnabled: false,
  networkBodyCaptureEnabled: true,
  actionReplayEnabled: true,
  networkWaterfallEnabled: false,
  performanceMarksEnabled: false,
  performanceSnapshotEnabled: true,
  deferralEnabled: true,
  debugMode: false,
  // Nothing is photographed until the first is switched on; then errors are.
  screenshotsEnabled: false,
  screenshotOnError: true,
  screenshotOnNavigation: false,
  screenshotOnAction: false,
  aiContextEnabled: true,
  aiContextSourceSnippets: true,
  aiContextComponentTree: true,
  aiContextStateSnapshot: false,
  enhancedSelectorsEnabled: true,
};

export type Flags = typeof FLAGS;
export type LogLevel = 'error' | 'warn' | 'all';
export type WebSocketMode = 'lifecycle' | 'messages';

export interface Settings extends Flags {
  serverUrl: string;
  /** For a server started with --token. Never given to a page. */
  serverToken: string;
  logLevel: LogLevel;
  webSocketCaptureMode: WebSocketMode;
  /** Pages to capture; none means all. */
  domainFilters: string[];
  reproductionBufferSize: number;
  /** The one tab to capture; null means all. */
  trackedTabId: number | null;
}

export const DEFAULTS: Settings = {
  ...FLAGS,
  serverUrl: 'http://localhost:7890',
  serverToken: '',
  logLevel: 'error',
  webSocketCaptureMode: 'lifecycle',
  domainFilters: [],
  reproductionBufferSize: 50,
  trackedTabId: null,
};

const LARGEST_BUFFER = 50;
/** Where the server's overrides lie while it is connected: content scripts read them too. */
export const OVERRIDES_KEY = 'captureOverrides';

export function isFlag(name: string): name is keyof Flags {
  return Object.hasOwn(FLAGS, name);
}

/** Settings from whatever lies in storage; what is missing or wrong is the default. */
export function readSettings(stored: Fields): Settings {
  const flags = {...FLAGS};
  for (const [name, value] of Object.entries(stored)) if (isFlag(name) && typeof value === 'boolean') flags[name] = value;
  return {
    ...flags,
    serverUrl: cleanServerUrl(textOf(stored['serverUrl'])) ?? DEFAULTS.serverUrl,
    serverToken: textOf(stored['serverToken']),
    logLevel: logLevelOf(stored['logLevel']) ?? DEFAULTS.logLevel,
    webSocketCaptureMode: stored['webSocketCaptureMode'] === 'messages' ? 'messages' : 'lifecycle',
    domainFilters: textsOf(stored['domainFilters']),
    reproductionBufferSize: clampBuffer(numberOf(stored['reproductionBufferSize'], LARGEST_BUFFER)),
    trackedTabId: typeof stored['trackedTabId'] === 'number' ? stored['trackedTabId'] : null,
  };
}

/** What is in force: the user's settings under what the connected server asks for. */
export function settingsInForce(stored: Fields): Settings {
  const settings = readSettings(stored);
  const overrides = fieldsOf(stored[OVERRIDES_KEY]);
  settings.logLevel = logLevelOf(overrides['log_level']) ?? settings.logLevel;
  settings.networkBodyCaptureEnabled = flagOf(overrides['network_bodies']) ?? settings.networkBodyCaptureEnabled;
  settings.webSocketCaptureEnabled = flagOf(overrides['websocket']) ?? settings.webSocketCaptureEnabled;
  settings.actionReplayEnabled = flagOf(overrides['actions']) ?? settings.actionReplayEnabled;
  const onError = flagOf(overrides['screenshot_on_error']);
  if (onError !== undefined) applyScreenshots(settings, {on_error: onError});
  if (overrides['auto_screenshot'] !== undefined) applyScreenshots(settings, fieldsOf(overrides['auto_screenshot']));
  return settings;
}

function applyScreenshots(settings: Settings, wanted: Fields): void {
  settings.screenshotOnError = flagOf(wanted['on_error']) ?? settings.screenshotOnError;
  settings.screenshotOnNavigation = flagOf(wanted['on_navigation']) ?? settings.screenshotOnNavigation;
  settings.screenshotOnAction = flagOf(wanted['on_action']) ?? settings.screenshotOnAction;
  settings.screenshotsEnabled = settings.screenshotOnError || settings.screenshotOnNavigation || settings.screenshotOnAction;
}

export async function loadSettings(): Promise<Settings> {
  return settingsInForce(await chrome.storage.local.get());
}

export function onSettingsChanged(changed: () => void): void {
  chrome.storage.onChanged.addListener((_changes, area) => {
    if (area === 'local') changed();
  });
}

/** The address without a path, or undefined when it is none. */
export function cleanServerUrl(typed: string): string | undefined {
  try {
    const url = new URL(/^[a-z]+:\/\//i.test(typed.trim()) ? typed.trim() : `http://${typed.trim()}`);
    return /^https?:$/.test(url.protocol) && url.hostname !== '' ? url.origin : undefined;
  } catch {
    return undefined;
  }
}

export function clampBuffer(size: number): number {
  return Math.min(LARGEST_BUFFER, Math.max(1, Math.round(size)));
}

function logLevelOf(value: unknown): LogLevel | undefined {
  return value === 'error' || value === 'warn' || value === 'all' ? value : undefined;
}

// Servers of the past say "true" in quotes.
function flagOf(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}
