// Six ways to point at an element again, and whether each points at it alone.

import {computeName} from './names';
import {attributeOf, isInput} from './native';
import {quietly} from './patch';
import {getRole} from './roles';
import type {Scope, Selectors} from './wire';

const TEXT_CHARS = 50;
const PATH_LEVELS = 5;
const PATH_CLASSES = 2;
// The names of more others are not worth the page's time: what they say stands for them.
const NAMES = 60;
// Beyond this many others an element is not taken for the only one.
const OTHERS = 1000;
const TEST_ID_ATTRIBUTES = ['data-testid', 'data-test-id', 'data-cy'] as const;
const DYNAMIC_CLASS = /^(css-|sc-|emotion-|styled-|chakra-|[a-z]{5,8}$)/;
const ROLELESS_INPUTS = /^(hidden|file|color)$/;
const PARTS = 'li,tr,article,section,fieldset,dialog,form,figure,[role=row],[role=listitem],[role=dialog]';
// What Playwright takes no part of a name from.
const OPAQUE = 'article,aside,details,dialog,fieldset,figure,form,header,main,nav';
const PART_TEXTS = 8;
const WORD = /[\p{L}\d]{2}/u;
const BUTTON_INPUTS = '[type=submit],[type=button],[type=reset]';
export const CLICKABLE = `a,button,summary,label,option,[role=button],[role=link],[role=tab],[role=menuitem],[role=option],[onclick],${BUTTON_INPUTS}`;
// Elements of different names may have one role.
const OF_MANY_ROLES = 'a,button,input,textarea,select,h1,h2,h3,h4,h5,h6';

export function escape(text: string): string {
  return CSS.escape(text);
}

// Every tree of the page: what finds an element by its names looks into all open shadow roots.
let trees: ParentNode[] = [];

export function selectorsOf(element: Element): Selectors {
  trees = treesOf(element.ownerDocument);
  const cssPath = cssPathOf(element);
  // A path through a shadow root is Playwright's own: the browser finds nothing by it, so it proves nothing.
  const unique: Record<string, boolean> = {cssPath: isOnly(cssPath)};
  const found: Selectors = {cssPath, unique};
  const testIdAttribute = testIdAttributeOf(element);
  if (testIdAttribute) {
    found.testId = attributeOf(element, testIdAttribute);
    unique['testId'] = isOnlyWith(element, testIdAttribute);
    if (testIdAttribute !== TEST_ID_ATTRIBUTES[0]) found.testIdAttribute = testIdAttribute;
  }
  const ariaLabel = attributeOf(element, 'aria-label');
  if (ariaLabel) {
    found.ariaLabel = ariaLabel;
    // A visible label labels something else by the same text.
    unique['ariaLabel'] = isOnlyWith(element, 'aria-label') && !twinsOf(element, ariaLabel)[0];
  }
  const role = roleOf(element);
  const name = role === null ? '' : nameOf(element);
  let likes: readonly Element[] | undefined = testIdAttribute ? candidatesFor(withAttribute(element, testIdAttribute)) : [];
  if (role !== null && name) {
    found.role = {role, name};
    const others = othersOf(element, `${escape(element.localName)},${OF_MANY_ROLES},[role="${escape(role)}"]`, other => roleOf(other) === role);
    const names = others?.map(others.length > NAMES ? shortNameOf : nameOf);
    unique['role'] = false;
    if (names && isCalledSo(element)) tellApart(unique, name, names);
    if (!testIdAttribute) likes = others?.filter((_, index) => names?.[index] === name);
  }
  const id = uniqueIdOf(element);
  if (id) {
    found.id = id;
    unique['id'] = true;
  }
  const text = clickableTextOf(element);
  if (text) {
    found.text = text;
    const twins = twinsOf(element, text);
    unique['text'] = !twins[0];
    if (!testIdAttribute && !found.role) likes = twins;
  }
  const alone = unique['testId'] || unique['role'] || unique['roleExact'] || unique['text'] || (id && !/\d/.test(id));
  const scope = !alone && likes && scopeOf(element, likes);
  if (scope) found.scope = scope;
  return found;
}

// Playwright and people take a part of a name for the name; where that is not enough, the whole; and a
// number in it may be a counter, if nothing else is called the same but for it.
function tellApart(unique: Record<string, boolean>, name: string, others: readonly string[]): void {
  unique['role'] = !isPartOf(others, name);
  if (!unique['role'] && !others.includes(name)) unique['roleExact'] = true;
  const uncounted = (text: string): string => text.replace(/\d+/g, '#');
  if (uncounted(name) !== name && !others.map(uncounted).includes(uncounted(name))) unique['roleCounted'] = true;
}

/** Whether Playwright agrees on the role and the name. */
function isCalledSo(element: Element): boolean {
  return element.localName !== 'summary' && (attributeOf(element, 'aria-label') !== null || !element.querySelector(OPAQUE));
}

function isPartOf(others: readonly string[], text: string): boolean {
  return others.some(other => other.toLowerCase().includes(text.toLowerCase()));
}

/** The nearest part of the page that holds an element and none of its likes, and can itself be told apart. */
function scopeOf(element: Element, likes: readonly Element[]): Scope | undefined {
  for (let part: Element | null = element; part; part = parentOf(part)) {
    const whole = part;
    if (likes.some(like => like !== element && holds(whole, like))) return undefined;
    const attribute = whole === element ? undefined : testIdAttributeOf(whole);
    if (attribute && isOnlyWith(whole, attribute)) return {css: withAttribute(whole, attribute)};
    const text = whole === element || whole.shadowRoot || whole.matches(PARTS) ? tellingText(whole, element) : undefined;
    if (text) return {css: escape(whole.localName), ...text, ...(whole === element ? {own: true} : {})};
  }
  return undefined;
}

/** The first word or number in a part that no other of its kind says, if need be as a whole number: 1, not 10. */
function tellingText(part: Element, element: Element): Pick<Scope, 'text' | 'whole'> | undefined {
  const [own = '', ...others] = [part, ...(othersOf(part, escape(part.localName), () => true) ?? [part])].map(other => onOneLine(insideOf(other)));
  const texts = textsIn(insideOf(part));
  for (let tries = 0; tries < PART_TEXTS && texts.nextNode(); tries++) {
    const text = onOneLine(texts.currentNode);
    const isInElement = part !== element && element.contains(texts.currentNode);
    if (!WORD.test(text) || text.length > TEXT_CHARS || isInElement) continue;
    if (!isPartOf(others, text)) return {text};
    const whole = withWholeNumbers(text);
    if (isPartOf([withWholeNumbers(own)], whole) && !isPartOf(others.map(withWholeNumbers), whole)) return {text, whole: true};
  }
  return undefined;
}

function onOneLine({textContent}: Node): string {
  return (textContent ?? '').replace(/\s+/g, ' ').trim();
}

function withWholeNumbers(text: string): string {
  return text.replace(/\d+/g, ' $& ');
}

function testIdAttributeOf(element: Element): string | undefined {
  return TEST_ID_ATTRIBUTES.find(attribute => attributeOf(element, attribute));
}

export function testIdOf(element: Element): string | null {
  const attribute = testIdAttributeOf(element);
  return attribute ? attributeOf(element, attribute) : null;
}

/** The role of the accessibility standard, and of the contract where that one knows none; none for what it does not show. */
export function roleOf(element: Element): string | null {
  if (element.closest('[aria-hidden=true]')) return null;
  return getRole(element) ?? (isInput(element) && !ROLELESS_INPUTS.test(element.type) ? 'textbox' : null);
}

// Browsers and Playwright take a placeholder for a name when there is no other.
export function nameOf(element: Element): string {
  return quietly(() => computeName(element)) || (element.matches('input,textarea') && attributeOf(element, 'placeholder')) || '';
}

function shortNameOf(element: Element): string {
  return attributeOf(element, 'aria-label') || textOf(element, TEXT_CHARS) || nameOf(element);
}

/** What else says just this: a text finds whatever says it, clickable or not. */
function twinsOf(element: Element, text: string): Element[] {
  const twins = candidatesFor(BUTTON_INPUTS).filter(button => button !== element && textOf(button, TEXT_CHARS) === text);
  for (const tree of trees) {
    const texts = textsIn(tree.querySelector('body') ?? tree);
    while (texts.nextNode()) {
      const twin = speakerOf(texts.currentNode, text);
      if (twin && !element.contains(twin)) twins.push(twin);
    }
  }
  return twins;
}

/** The innermost element that says all of a text, found by the piece that begins it. */
function speakerOf(piece: Node, text: string): Element | undefined {
  if (piece.nodeValue?.trim()[0] !== text[0]) return undefined;
  for (let part = piece.parentElement; part; part = part.parentElement) {
    const said = wholeTextOf(part, text.length);
    if (said === text) return part;
    if (said === undefined) break;
  }
  return undefined;
}

function uniqueIdOf(element: Element): string | undefined {
  const id = attributeOf(element, 'id');
  return id && isOnly(`#${escape(id)}`) ? id : undefined;
}

function clickableTextOf(element: Element): string | undefined {
  return element.matches(CLICKABLE) ? wholeTextOf(element, TEXT_CHARS) : undefined;
}

function wholeTextOf(element: Element, chars: number): string | undefined {
  // One more may be a space, which does not count at the end.
  const text = textOf(element, chars + 2);
  return text.length <= chars ? text : undefined;
}

/** The beginning of what an element says, on one line; it may hold the whole page. */
export function textOf(element: Element, chars: number): string {
  if (isInput(element)) return element.matches(BUTTON_INPUTS) ? element.value.trim().slice(0, chars) : '';
  const texts = textsIn(element);
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
  for (let current: Element | null = element; current && steps.length < PATH_LEVELS; current = parentOf(current)) {
    if (current === document.body || current === document.documentElement) break;
    const id = uniqueIdOf(current);
    steps.unshift(id ? `#${escape(id)}` : stepOf(current));
    if (id) break;
  }
  return steps.join(' > ') || element.localName;
}

function stepOf(element: Element): string {
  const classes = [...element.classList].filter(name => !isDynamicClass(name)).slice(0, PATH_CLASSES);
  const step = [element.localName, ...classes].map(escape).join('.');
  const siblings = [...(element.parentNode?.children ?? [])];
  return siblings.filter(sibling => sibling.matches(step)).length > 1 ? `${step}:nth-child(${siblings.indexOf(element) + 1})` : step;
}

export function withAttribute(element: Element, attribute: string): string {
  return `[${attribute}="${escape(attributeOf(element, attribute) ?? '')}"]`;
}

function isOnlyWith(element: Element, attribute: string): boolean {
  return isOnly(withAttribute(element, attribute));
}

function isOnly(selector: string): boolean {
  return candidatesFor(selector).length === 1;
}

function candidatesFor(selector: string): Element[] {
  return trees.flatMap(tree => [...tree.querySelectorAll(selector)]);
}

function othersOf(element: Element, selector: string, counts: (other: Element) => boolean): Element[] | undefined {
  const others = candidatesFor(selector).filter(other => other !== element && counts(other));
  return others.length > OTHERS ? undefined : others;
}

// By index: iterating takes three times as long, and this is done for every action.
function treesOf(tree: ParentNode, found: ParentNode[] = []): ParentNode[] {
  found.push(tree);
  const all = tree.querySelectorAll('*');
  for (let index = all.length; index--; ) {
    const {shadowRoot} = all.item(index);
    if (shadowRoot) treesOf(shadowRoot, found);
  }
  return found;
}

function parentOf({parentNode, parentElement}: Element): Element | null {
  return parentNode instanceof ShadowRoot ? parentNode.host : parentElement;
}

function holds(part: Element, element: Element | null): boolean {
  return element !== null && (element === part || holds(part, parentOf(element)));
}

function insideOf(element: Element): ParentNode {
  return element.shadowRoot ?? element;
}

function textsIn(node: Node): TreeWalker {
  return document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
}
