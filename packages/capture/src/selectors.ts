// Six ways to point at an element again, and whether each points at it alone.

import {computeAccessibleName, getRole} from 'dom-accessibility-api';

import {quietly} from './patch';
import type {Selectors} from './wire';

const TEXT_CHARS = 50;
const PATH_LEVELS = 5;
const PATH_CLASSES = 2;
// Beyond this many candidates uniqueness is not worth the page's time; it is left unsaid.
const CANDIDATES = 60;
const TEST_ID_ATTRIBUTES = ['data-testid', 'data-test-id', 'data-cy'] as const;
const DYNAMIC_CLASS = /^(css-|sc-|emotion-|styled-|chakra-|[a-z]{5,8}$)/;
const ROLELESS_INPUTS = /^(hidden|file|color)$/;
const BUTTON_INPUTS = /^(submit|button|reset)$/;
export const CLICKABLE =
  'a,button,summary,label,option,[role=button],[role=link],[role=tab],[role=menuitem],[role=option],[onclick],input[type=submit],input[type=button],input[type=reset]';

export function selectorsOf(element: Element): Selectors {
  const cssPath = cssPathOf(element);
  const unique: Record<string, boolean> = {cssPath: isOnly(element, cssPath)};
  const found: Selectors = {cssPath, unique};
  const testIdAttribute = testIdAttributeOf(element);
  if (testIdAttribute) {
    found.testId = element.getAttribute(testIdAttribute);
    unique['testId'] = isOnlyWith(element, testIdAttribute);
  }
  const ariaLabel = element.getAttribute('aria-label');
  if (ariaLabel) {
    found.ariaLabel = ariaLabel;
    unique['ariaLabel'] = isOnlyWith(element, 'aria-label');
  }
  const role = roleOf(element);
  const name = role === null ? '' : nameOf(element);
  if (role !== null && name) {
    found.role = {role, name};
    say(unique, 'role', isAlone(element, `${CSS.escape(element.localName)},[role="${CSS.escape(role)}"]`, other => roleOf(other) === role && nameOf(other) === name));
  }
  const id = uniqueIdOf(element);
  if (id) {
    found.id = id;
    unique['id'] = true;
  }
  const text = clickableTextOf(element);
  if (text) {
    found.text = text;
    say(unique, 'text', isAlone(element, CLICKABLE, other => !other.contains(element) && !element.contains(other) && clickableTextOf(other) === text));
  }
  return found;
}

function say(unique: Record<string, boolean>, key: string, value: boolean | undefined): void {
  if (value !== undefined) unique[key] = value;
}

function testIdAttributeOf(element: Element): string | undefined {
  return TEST_ID_ATTRIBUTES.find(attribute => element.getAttribute(attribute));
}

export function testIdOf(element: Element): string | null {
  const attribute = testIdAttributeOf(element);
  return attribute ? element.getAttribute(attribute) : null;
}

/** The role of the accessibility standard, and of the contract where that one knows none. */
export function roleOf(element: Element): string | null {
  return getRole(element) ?? (element instanceof HTMLInputElement && !ROLELESS_INPUTS.test(element.type) ? 'textbox' : null);
}

// Browsers and Playwright take a placeholder for a name when there is no other; the library does not.
function nameOf(element: Element): string {
  return quietly(() => computeAccessibleName(element)) || (element.getAttribute('placeholder') ?? '');
}

function uniqueIdOf(element: Element): string | undefined {
  // By its attribute: a form may have a field named `id`.
  const id = element.getAttribute('id');
  return id && isOnly(element, `#${CSS.escape(id)}`) ? id : undefined;
}

function clickableTextOf(element: Element): string | undefined {
  if (!element.matches(CLICKABLE)) return undefined;
  const text = textOf(element, TEXT_CHARS + 1);
  return text.length <= TEXT_CHARS ? text : undefined;
}

/** The beginning of what an element says, on one line; it may hold the whole page. */
export function textOf(element: Element, chars: number): string {
  if (element instanceof HTMLInputElement) return BUTTON_INPUTS.test(element.type) ? element.value.trim().slice(0, chars) : '';
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let text = '';
  while (text.length <= chars && texts.nextNode()) text = (text + (texts.currentNode.nodeValue ?? '')).replace(/\s+/g, ' ').trimStart();
  return text.slice(0, chars).trimEnd();
}

export function isDynamicClass(name: string): boolean {
  return DYNAMIC_CLASS.test(name);
}

/** Tags, stable classes and positions up to a unique id, at most five levels, below the body. */
export function cssPathOf(element: Element): string {
  const steps: string[] = [];
  for (let current: Element | null = element; current && steps.length < PATH_LEVELS; current = current.parentElement) {
    if (current === document.body || current === document.documentElement) break;
    const id = uniqueIdOf(current);
    steps.unshift(id ? `#${CSS.escape(id)}` : stepOf(current));
    if (id) break;
  }
  return steps.join(' > ') || element.localName;
}

function stepOf(element: Element): string {
  const classes = [...element.classList].filter(name => !isDynamicClass(name)).slice(0, PATH_CLASSES);
  const step = [CSS.escape(element.localName), ...classes.map(name => CSS.escape(name))].join('.');
  const siblings = [...(element.parentNode?.children ?? [])];
  return siblings.filter(sibling => sibling.matches(step)).length > 1 ? `${step}:nth-child(${siblings.indexOf(element) + 1})` : step;
}

function isOnlyWith(element: Element, attribute: string): boolean {
  return isOnly(element, `[${attribute}="${CSS.escape(element.getAttribute(attribute) ?? '')}"]`);
}

function isOnly(element: Element, selector: string): boolean {
  return candidatesFor(element, selector).length === 1;
}

// Within its own tree: selectors do not look into other shadow roots.
function candidatesFor(element: Element, selector: string): Element[] {
  const root = element.getRootNode();
  return root instanceof Document || root instanceof DocumentFragment ? [...root.querySelectorAll(selector)] : [];
}

function isAlone(element: Element, selector: string, isLikeIt: (other: Element) => boolean): boolean | undefined {
  const candidates = candidatesFor(element, selector);
  return candidates.length > CANDIDATES ? undefined : !candidates.some(other => other !== element && isLikeIt(other));
}
