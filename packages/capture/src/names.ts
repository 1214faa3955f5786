// The name under which an element is known to who cannot see it, after the standard (accname 1.2).
// `dom-accessibility-api` takes twice the bytes to say the same; tests hold this against it.

import {attributeOf, get, isElement, isField, isInput, isSelect} from './native';
import {PRESENTATION, getRole} from './roles';

// Of the roles that may have no name, those that are given to what a user can act on.
const NAMELESS = /^(generic|none|paragraph|presentation)$/;
const CONTROLS = /^((spin)?button|(combo|list|text)box|meter|(progress|scroll)bar|slider)$/;
const NAMED_BY_CONTENT = /^(button|(grid)?cell|(menuitem)?(checkbox|radio)|(column|row)header|heading|label|legend|link|menuitem|option|row|switch|tab|tooltip|treeitem)$/;
const POINTER = 'aria-labelledby';
const CAPTION_OF: Record<string, string> = {fieldset: 'legend', table: 'caption', svg: 'title'};
const BUTTON_TEXTS: Record<string, string> = {button: '', submit: 'Submit', reset: 'Reset'};

/** How the walk came to an element. */
interface Way {
  isReferenced?: boolean;
  isInLabel?: boolean | undefined;
  isPart?: boolean;
}

export function computeName(element: Element): string {
  if (NAMELESS.test(getRole(element) ?? '')) return '';
  return nameOnWay(element, {}, new Set()).trim().replace(/\s\s+/g, ' ');
}

function nameOnWay(node: Node, way: Way, seen: Set<Node>): string {
  if (seen.has(node)) return '';
  if (!isElement(node)) return (node instanceof Text && node.nodeValue) || '';
  return (way.isReferenced ? null : nameElsewhere(node, way, seen)) ?? ownName(node, way, seen);
}

/** Where an element points for its name; empty for one that is not there to be named, null for one that does not point. */
function nameElsewhere(element: Element, way: Way, seen: Set<Node>): string | null {
  if (isHidden(element)) return '';
  const pointer = element.getAttributeNode(POINTER);
  const others = pointer && !seen.has(pointer) ? elementsOf(element, POINTER) : [];
  // It may point at itself, and what it points at may hold it: it points once.
  if (!pointer || !others[0]) return null;
  seen.add(pointer);
  return others.map(other => nameOnWay(other, {isInLabel: way.isInLabel, isReferenced: true}, seen)).join(' ');
}

function ownName(element: Element, way: Way, seen: Set<Node>): string {
  const {isReferenced, isInLabel, isPart} = way;
  const role = getRole(element) ?? '';
  const isControl = isPart && CONTROLS.test(role);
  seen.add(element);
  const given = isControl ? null : attributeOf(element, 'aria-label')?.trim() || (PRESENTATION.test(role) ? null : nameOfKind(element, seen));
  const name = given ?? (isControl || isInLabel || isReferenced ? valueOf(element, role, way, seen) : null);
  if (name !== null || role === 'menu') return name ?? '';
  const isNamedByContent = isPart || isReferenced || NAMED_BY_CONTENT.test(role) || element.localName === 'caption';
  return (isNamedByContent && contentOf(element, way, seen)) || (!isPart && saidIn(element, 'title')) || '';
}

function isHidden(element: Element): boolean {
  if (element.matches('[hidden],[aria-hidden=true]')) return true;
  const {display, visibility} = getComputedStyle(element);
  return display === 'none' || visibility === 'hidden';
}

function elementsOf(element: Element, attribute: string): Element[] {
  const root = element.getRootNode();
  const ids = attributeOf(element, attribute)?.split(' ') ?? [];
  return root instanceof Document || root instanceof DocumentFragment ? ids.flatMap(id => root.getElementById(id) ?? []) : [];
}

/** An attribute that is not blank. */
function saidIn(element: Element, attribute: string): string | null {
  const text = attributeOf(element, attribute);
  return text?.trim() ? text : null;
}

/** What this kind of element is named by; null where nothing of that kind is there. */
function nameOfKind(element: Element, seen: Set<Node>): string | null {
  const kind = element.localName;
  const caption = [...element.children].find(child => child.localName === CAPTION_OF[kind]);
  if (kind === 'svg') return caption?.textContent ?? null;
  if (caption) return nameOnWay(caption, {}, seen);
  if (kind === 'img' || kind === 'area') return saidIn(element, 'alt');
  const type = isInput(element) ? element.type : '';
  const usual = BUTTON_TEXTS[type];
  const written = usual !== undefined && (saidIn(element, 'value') ?? usual);
  if (written) return written;
  const labels: unknown = get(element, 'labels');
  if (labels instanceof NodeList && labels[0]) return [...labels].map(label => nameOnWay(label, {isInLabel: true, isPart: true}, seen)).filter(Boolean).join(' ');
  return type === 'image' ? (saidIn(element, 'alt') ?? saidIn(element, 'title') ?? 'Submit Query') : null;
}

/** What a control inside a name says; null for what is none. */
function valueOf(element: Element, role: string, way: Way, seen: Set<Node>): string | null {
  const typed = isField(element) ? element.value : undefined;
  if (role === 'textbox') return typed ?? element.textContent ?? '';
  if (/^(combo|list)box$/.test(role)) {
    const chosen = [...(isSelect(element) ? element.selectedOptions : element.querySelectorAll('[aria-selected=true]'))];
    return chosen[0] ? chosen.map(option => nameOnWay(option, {isInLabel: way.isInLabel, isPart: true}, seen)).join(' ') : (typed ?? '');
  }
  if (!CONTROLS.test(role) || role === 'button') return null;
  return attributeOf(element, 'aria-valuetext') ?? attributeOf(element, 'aria-valuenow') ?? attributeOf(element, 'value') ?? '';
}

function contentOf(element: Element, {isInLabel}: Way, seen: Set<Node>): string {
  const assigned = element instanceof HTMLSlotElement ? element.assignedNodes() : [];
  const parts = assigned[0] ? assigned : [...element.childNodes, ...elementsOf(element, 'aria-owns')];
  const texts = parts.map(part => {
    const joint = isElement(part) && getComputedStyle(part).display !== 'inline' ? ' ' : '';
    return joint + nameOnWay(part, {isInLabel, isPart: true}, seen) + joint;
  });
  return texts.join('').trim();
}
