// Says something in passing.
import {element} from './element.js';

const SHOWN_MS = 4000;

export function toast(text) {
  const shown = element('p', {class: 'toast'}, text);
  document.getElementById('toasts').append(shown);
  setTimeout(() => shown.remove(), SHOWN_MS);
}
