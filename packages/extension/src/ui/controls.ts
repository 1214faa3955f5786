// What popup and options have in common: finding elements, and switches bound to settings.

import {isFlag, type Settings} from '../settings';

/** The element with this id, of this kind; our own pages have it or are broken. */
export function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`#${id} is missing`);
  return element;
}

function controls(): (HTMLInputElement | HTMLSelectElement)[] {
  return [...document.querySelectorAll('[data-setting]')].filter(
    element => element instanceof HTMLInputElement || element instanceof HTMLSelectElement,
  );
}

export function showSettings(settings: Settings): void {
  for (const control of controls()) {
    const name = control.dataset['setting'] ?? '';
    const value: unknown = Reflect.get(settings, name);
    if (control instanceof HTMLInputElement) control.checked = value === true;
    else if (typeof value === 'string') control.value = value;
  }
  showNeeds();
}

/** A control that means nothing without another one is off while that one is. */
export function showNeeds(): void {
  for (const dependent of document.querySelectorAll('[data-needs]')) {
    if (!(dependent instanceof HTMLElement)) continue;
    const needed = document.querySelector(`[data-setting="${dependent.dataset['needs'] ?? ''}"]`);
    dependent.toggleAttribute('disabled', needed instanceof HTMLInputElement && !needed.checked);
  }
}

/** What the bound controls say now, by the names of the settings. */
export function readControls(): Record<string, boolean | string> {
  return Object.fromEntries(
    controls().map((control): [string, boolean | string] => {
      const name = control.dataset['setting'] ?? '';
      return [name, control instanceof HTMLInputElement && isFlag(name) ? control.checked : control.value];
    }),
  );
}
