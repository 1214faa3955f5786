// The role that an element has in the accessibility standard, given or by its kind. `dom-accessibility-api` takes three
// times the bytes to say as much; tests hold this against it.

import {onFirstUse} from './lazy';
import {attributeOf, isInput, isSelect} from './native';

export const PRESENTATION = /^(presentation|none)$/;

// A role, then the elements that have it, but for one of the same name; inputs by their type.
const ROLES =
  'article;banner header;button summary :button :image :reset :submit;cell td;checkbox :checkbox;columnheader th;complementary aside;contentinfo footer;definition dd;dialog;document html;figure;form;group details fieldset optgroup;heading h1 h2 h3 h4 h5 h6;legend;list menu ol ul;listbox datalist;listitem li;main;math;navigation nav;option;progressbar progress;radio :radio;region section;row tr;rowgroup tbody tfoot thead;searchbox :search;separator hr;slider :range;spinbutton :number;status output;table;term dt;textbox textarea :email :tel :text :url';

const roles = onFirstUse(() => {
  const made = new Map<string, string>();
  for (const line of ROLES.split(';')) {
    const kinds = line.split(' ');
    for (const kind of kinds) made.set(kind, kinds[0] ?? '');
  }
  return made;
});

export function getRole(element: Element): string | null {
  const given = attributeOf(element, 'role')?.trim().split(' ')[0];
  // What says more about itself is no mere presentation.
  return given && !(PRESENTATION.test(given) && saysMore(element)) ? given : impliedRole(element);
}

function saysMore(element: Element): boolean {
  return element.getAttributeNames().some(name => name.startsWith('aria-'));
}

function impliedRole(element: Element): string | null {
  const kind = element.localName;
  if (/^(a|area|link)$/.test(kind)) return element.hasAttribute('href') ? 'link' : null;
  if (kind === 'img') return attributeOf(element, 'alt') === '' && !saysMore(element) ? 'presentation' : kind;
  if (isSelect(element)) return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
  const role = roles().get(isInput(element) ? `:${element.type}` : kind) ?? null;
  return role && /[th]box/.test(role) && element.matches('input[list]') ? 'combobox' : role;
}
