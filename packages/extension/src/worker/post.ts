// The worker's post: batches of pages in, the same batches at the server, with what pages cannot know.

import {LOGS, NETWORK_BODIES, STREAM_OF} from '../../../capture/src/streams';
import {isAdmitted, permitted, type Kind} from '../admission';
import {isFields, listOf, numberOf, parseJson, textOf, type Fields} from '../narrow';
import type {Settings} from '../settings';
import type {Delivery} from './delivery';
import {Groups, WINDOW_MS, canRepeat} from './groups';
import type {Memory} from './memory';
import {letterOf} from './ownEntries';
import {SessionValue} from './sessionValue';
import type {Letter, Waiting} from './waiting';

const REMEMBERED = 500;
const COLLECT_MS = WINDOW_MS + 100;
const LISTS = new Map(Object.values(STREAM_OF).map(({address, list}) => [address, list]));
const KINDS = new Map(Object.entries(STREAM_OF).map(([kind, {address}]) => [address, kind as Kind]));

export interface PostParts {
  delivery: Delivery;
  waiting: Waiting;
  memory: Memory;
  /** Told once of the errors in each batch, repeats and all. */
  seen: (errors: Fields[], tabId: number) => void;
}

/** A batch as a page hands it over. */
export interface HandedOver extends Letter {
  /** Events that never became part of a batch. */
  lost: number;
  /** The page is going: nobody will hand it over again. */
  last: boolean;
}

/** A batch as it goes out: with the tab in each entry, without repeats. */
interface Prepared {
  text: string;
  delivered: boolean;
}

function admitted(route: string, entries: unknown[], settings: Settings): Fields[] {
  const kind = KINDS.get(route);
  return entries.filter(isFields).flatMap(entry => (kind && isAdmitted(kind, entry, settings) ? [permitted(kind, entry, settings)] : []));
}

export class Post {
  readonly #groups = new SessionValue<Groups>('groups', stored => Groups.restore(stored));
  // A batch comes again when nobody confirmed it, or when its page goes away meanwhile: it must not
  // look like its own repeat.
  readonly #batches = new Map<string, Promise<Prepared>>();
  #collecting: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly parts: PostParts) {}

  /**
   * Whether a page's batch is at the server. The last ones of a page are kept until they are. Of one that did not know
   * the settings, what they admit.
   */
  async take({route, body, lost, last}: HandedOver, tabId: number, settings?: Settings): Promise<boolean> {
    const whole = parseJson(body);
    const list = LISTS.get(route);
    if (!isFields(whole) || list === undefined) return true;
    const parsed = settings ? {...whole, [list]: admitted(route, listOf(whole[list]), settings)} : whole;
    const batch = lost > 0 ? {...parsed, dropped: numberOf(parsed['dropped']) + lost} : parsed;
    const prepared = await this.#remember(`${String(batch['sender'])}:${String(batch['batch'])}`, () =>
      this.#prepare(route, batch, list, tabId),
    );
    prepared.delivered ||= await this.#send({route, body: prepared.text}, last);
    // Only that it was delivered is still of interest.
    if (prepared.delivered) prepared.text = '';
    return prepared.delivered;
  }

  /** Send entries of the worker's own. */
  async write(...entries: Fields[]): Promise<void> {
    await this.#send(await letterOf(entries), true);
  }

  /** The server is back: first what waited longest. */
  async deliverWaiting(): Promise<void> {
    await this.parts.waiting.deliver(({route, body}) => this.parts.delivery.post(route, body));
  }

  /** Send the repeats that were counted. */
  async collect(): Promise<void> {
    let repeats: Fields[] = [];
    const groups = await this.#change(kept => void (repeats = kept.collect(Date.now())));
    if (repeats.length > 0) await this.write(...repeats);
    if (groups.hasRepeats) this.#collectSoon();
  }

  async #send(letter: Letter, last: boolean): Promise<boolean> {
    const {delivery, waiting, memory} = this.parts;
    return memory.during(letter.body, async () => {
      const delivered = await delivery.post(letter.route, letter.body);
      if (!delivered && last) await waiting.keep(letter, memory.pressure);
      return delivered;
    });
  }

  #remember(key: string, prepare: () => Promise<Prepared>): Promise<Prepared> {
    const known = this.#batches.get(key) ?? prepare();
    this.#batches.set(key, known);
    for (const oldest of this.#batches.keys()) {
      if (this.#batches.size <= REMEMBERED) break;
      this.#batches.delete(oldest);
    }
    return known;
  }

  async #prepare(route: string, batch: Fields, list: string, tabId: number): Promise<Prepared> {
    const named = listOf(batch[list]).filter(isFields).map(entry => ({...entry, tabId}));
    const entries = route === LOGS.address ? await this.#group(named, textOf(batch['test_id']), tabId) : this.#lighten(route, named);
    return {text: JSON.stringify({...batch, [list]: entries}), delivered: false};
  }

  async #group(entries: Fields[], testId: string, tabId: number): Promise<Fields[]> {
    if (!entries.some(canRepeat)) return entries;
    const errors = entries.filter(entry => entry['level'] === 'error');
    if (errors.length > 0) this.parts.seen(errors, tabId);
    const kept: Fields[] = [];
    const groups = await this.#change(known => {
      for (const entry of entries) {
        // Its repeats are sent in another batch, so it must say itself which test it belongs to.
        const admitted = known.admit(testId ? {test_id: testId, ...entry} : entry, Date.now());
        if (admitted !== null) kept.push(admitted);
      }
    });
    if (groups.hasRepeats) this.#collectSoon();
    return kept;
  }

  // What counts is that requests happened; their text is the first to go.
  #lighten(route: string, entries: Fields[]): Fields[] {
    if (route !== NETWORK_BODIES.address || this.parts.memory.pressure !== 'hard') return entries;
    return entries.map(entry => ({...entry, requestBody: null, responseBody: null, responseTruncated: true}));
  }

  async #change(change: (groups: Groups) => void): Promise<Groups> {
    const groups = await this.#groups.read();
    change(groups);
    // Without room for it the count is lost with the worker, and nothing else.
    await chrome.storage.session.set({[this.#groups.key]: groups.stored}).catch(() => undefined);
    return groups;
  }

  #collectSoon(): void {
    this.#collecting ??= setTimeout(() => {
      this.#collecting = undefined;
      void this.collect();
    }, COLLECT_MS);
  }
}
