// Answers to what the server asks about a page that is open now.

import {redactText} from '../../../capture/src/redact';
import {SENSITIVE_INPUT_TYPES, SENSITIVE_INPUT_WORDS} from '../../../capture/src/rules';
import {isFields, textOf, textsOf, type Fields} from '../narrow';
import {hasAxe, pageInfo, queryDom, runAxe} from './inPage';
import {Unavailable, takePicture} from './picture';
import {findTab} from './tabs';

const AUDIT_MS = 30_000;

export interface Question {
  question: string;
  params: Fields;
  /** Null: the page in front. */
  tabId: number | null;
}

/** The answer, or `{error, message}`; never throws. */
export async function answerQuestion({question, params, tabId}: Question): Promise<unknown> {
  const tab = await findTab(tabId);
  if (tab?.id === undefined) return fail('no_page', tabId === null ? 'No page is open in this browser: open one (http, https or file), then ask again.' : `There is no tab ${tabId}: leave it out to ask the page in front.`);
  try {
    return await ANSWERS[question]?.(tab, tab.id, params) ?? fail('unknown_question', `This extension cannot answer "${question}": update it.`);
  } catch (error) {
    return fail(`${question}_failed`, error instanceof Unavailable ? error.message : explain(error));
  }
}

const ANSWERS: Partial<Record<string, (tab: chrome.tabs.Tab, tabId: number, params: Fields) => Promise<unknown>>> = {
  async dom(_tab, tabId, {selector}) {
    const args: [string, string, string] = [textOf(selector), SENSITIVE_INPUT_TYPES, SENSITIVE_INPUT_WORDS];
    const [answer] = await chrome.scripting.executeScript({target: {tabId}, func: queryDom, args});
    return withoutSecrets(answer?.result);
  },
  async page_info(_tab, tabId) {
    const [answer] = await chrome.scripting.executeScript({target: {tabId}, func: pageInfo});
    return withoutSecrets(answer?.result);
  },
  async a11y(_tab, tabId, {scope, tags}) {
    const [known] = await chrome.scripting.executeScript({target: {tabId}, func: hasAxe});
    if (known?.result !== true) await chrome.scripting.executeScript({target: {tabId}, files: ['axe.min.js']});
    const audit = chrome.scripting
      .executeScript({target: {tabId}, func: runAxe, args: [textOf(scope), textsOf(tags)]})
      .then(([answer]) => withoutSecrets(answer?.result));
    const timeout = new Promise(resolve => setTimeout(() => resolve(fail('Accessibility audit timeout', `The audit took over ${AUDIT_MS / 1000} s: narrow it with scope or tags.`)), AUDIT_MS));
    return Promise.race([audit, timeout]);
  },
  async screenshot(tab, _tabId, {selector, full_page: fullPage}) {
    const wanted = {format: 'png', ...(textOf(selector) ? {selector: textOf(selector)} : {}), fullPage: fullPage === true} as const;
    const picture = await takePicture(tab, wanted);
    return {...picture, url: redactText(tab.url ?? ''), title: redactText(tab.title ?? '')};
  },
};

/** What Chrome refuses it says in its own words, which do not say what to do. */
function explain(error: unknown): string {
  const said = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
  return `${said}: load the page again, or bring another to the front, then ask again.`;
}

function fail(error: string, message: string): Fields {
  return {error, message};
}

/** The same with secrets replaced by marks, wherever text is. */
function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutSecrets(item)]));
}
