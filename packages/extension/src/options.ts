// The options page: where the server is, which pages count, and what is seldom changed.

import {readDomains} from './domains';
import {fieldsOf} from './narrow';
import {clampBuffer, cleanServerUrl, readSettings} from './settings';
import {byId, readControls, showNeeds, showSettings} from './ui/controls';

const SAVED_MS = 2000;
const TEST_MS = 3000;

const url = byId('server-url', HTMLInputElement);
const token = byId('server-token', HTMLInputElement);
const domains = byId('domains', HTMLTextAreaElement);
const buffer = byId('buffer', HTMLInputElement);
const saved = byId('saved', HTMLSpanElement);
const tested = byId('tested', HTMLParagraphElement);

function say(element: HTMLElement, state: 'good' | 'bad', text: string): void {
  element.dataset['state'] = state;
  element.textContent = text;
}

async function test(): Promise<void> {
  const address = cleanServerUrl(url.value);
  if (address === undefined) {
    say(tested, 'bad', 'This is not an address: it should look like http://localhost:7890');
    return;
  }
  tested.textContent = 'Testing...';
  try {
    const headers: HeadersInit = token.value ? {'X-Gasoline-Key': token.value} : {};
    const answer = await fetch(`${address}/health`, {headers, cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(TEST_MS)});
    const said = fieldsOf(await answer.json().catch(() => undefined));
    if (answer.status === 401) say(tested, 'bad', 'The server asks for its token.');
    else if (!answer.ok || said['status'] === undefined) say(tested, 'bad', 'Something other than Gasoline answers there.');
    else say(tested, 'good', `Gasoline ${String(said['version'] ?? '')} answers.`);
  } catch {
    say(tested, 'bad', 'Nothing answers there. Start the server: gasoline serve');
  }
}

async function save(): Promise<void> {
  const address = cleanServerUrl(url.value);
  if (address === undefined) {
    say(saved, 'bad', 'Not saved: the address of the server should look like http://localhost:7890');
    url.focus();
    return;
  }
  const reproductionBufferSize = clampBuffer(Number(buffer.value) || 1);
  const domainFilters = readDomains(domains.value);
  await chrome.storage.local.set({...readControls(), serverUrl: address, serverToken: token.value, domainFilters, reproductionBufferSize});
  url.value = address;
  domains.value = domainFilters.join('\n');
  buffer.value = String(reproductionBufferSize);
  say(saved, 'good', 'Saved!');
  setTimeout(() => (saved.textContent = ''), SAVED_MS);
}

async function open(): Promise<void> {
  const settings = readSettings(await chrome.storage.local.get());
  showSettings(settings);
  url.value = settings.serverUrl;
  token.value = settings.serverToken;
  domains.value = settings.domainFilters.join('\n');
  buffer.value = String(settings.reproductionBufferSize);
  byId('version', HTMLSpanElement).textContent = `Version ${chrome.runtime.getManifest().version}`;
  document.body.toggleAttribute('data-ready', true);
  document.addEventListener('change', showNeeds);
  byId('test', HTMLButtonElement).addEventListener('click', () => void test());
  byId('options', HTMLFormElement).addEventListener('submit', event => {
    event.preventDefault();
    void save();
  });
}

void open();
