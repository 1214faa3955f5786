// Keeps the header up to date and listens to the keyboard.
import {call} from './api.js';

const search = document.getElementById('search');

export function showCartCount(count) {
  document.getElementById('cart-count').textContent = count;
}

async function showSession() {
  const session = await call('GET', '/api/session');
  showCartCount(session.cart_count);
  document.getElementById('account-link').textContent = session.signed_in ? session.name : 'Sign in';
}

function isTyping(target) {
  return target.matches('input, textarea, select, [contenteditable]');
}

document.addEventListener('keydown', event => {
  if (event.key === '/' && !isTyping(event.target)) {
    event.preventDefault();
    search.focus();
  } else if (event.key === 'Escape' && event.target === search) {
    search.blur();
  }
});

showSession();
