// The cart: change a quantity, or remove a product after a second thought.
import {call} from './api.js';
import {element} from './element.js';
import {showCartCount} from './header.js';
import {money, subtotal} from './money.js';
import {toast} from './toast.js';

const confirmation = document.getElementById('confirm');

function confirmRemoval(line) {
  document.getElementById('confirm-text').textContent = `${line.product.name} will leave your cart.`;
  confirmation.returnValue = 'keep';
  confirmation.showModal();
  return new Promise(decided =>
    confirmation.addEventListener('close', () => decided(confirmation.returnValue === 'remove'), {once: true}),
  );
}

async function remove(line) {
  if (!(await confirmRemoval(line))) return;
  show(await call('DELETE', `/api/cart/lines/${line.line}`));
  toast(`${line.product.name} was removed`);
}

async function changeQuantity(line, input) {
  if (!input.reportValidity()) return;
  show(await call('PATCH', `/api/cart/lines/${line.line}`, {quantity: Number(input.value)}));
}

function shownLine(line) {
  const {product} = line;
  const quantity = element('input', {
    type: 'number',
    min: 1,
    max: 99,
    required: true,
    value: line.quantity,
    'aria-label': `Quantity of ${product.name}`,
    onchange: event => changeQuantity(line, event.target),
  });
  return element(
    'li',
    {class: 'line'},
    element('img', {src: `/static/img/${product.image}.svg`, alt: '', width: 96, height: 72}),
    element(
      'div',
      {class: 'line-text'},
      element('a', {href: `/products/${product.id}`}, product.name),
      element('span', {class: 'muted'}, `${line.size} · ${money(product.price)}`),
    ),
    quantity,
    element('button', {type: 'button', class: 'button small', onclick: () => remove(line)}, 'Remove'),
  );
}

function show(cart) {
  showCartCount(cart.count);
  document.getElementById('lines').replaceChildren(...cart.lines.map(shownLine));
  document.getElementById('subtotal').textContent = money({amount: subtotal(cart.lines)});
  document.getElementById('summary').hidden = cart.count === 0;
  document.getElementById('empty').hidden = cart.count > 0;
}

show(await call('GET', '/api/cart'));
