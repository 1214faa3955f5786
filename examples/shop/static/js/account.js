// Personal data and past orders of the one who is signed in.
import {call, dropToken} from './api.js';
import {element} from './element.js';
import {showCartCount} from './header.js';
import {money} from './money.js';
import {toast} from './toast.js';

const profile = document.getElementById('profile');

function showAccount(account) {
  document.getElementById('fact-email').textContent = account.email;
  document.getElementById('fact-address').textContent = `${account.street}, ${account.city}`;
  document.getElementById('fact-birthday').textContent = account.birthday;
  profile.name.value = account.name;
  profile.phone.value = account.phone;
  profile.newsletter.checked = account.newsletter;
}

async function reorder(order) {
  const cart = await call('POST', `/api/orders/${order.number}/reorder`);
  showCartCount(cart.count);
  toast(`Order ${order.number} is in your cart again`);
}

function orderRow(order) {
  const products = order.lines.map(line =>
    element('span', {class: 'order-line'}, `${line.quantity} × ${line.product.name}`),
  );
  const again = element('button', {type: 'button', class: 'button small', onclick: () => reorder(order)}, 'Reorder');
  return element(
    'tr',
    {},
    element('th', {scope: 'row'}, order.number),
    element('td', {class: 'nowrap'}, order.placed),
    element('td', {}, ...products),
    element('td', {}, money(order.total)),
    element('td', {}, element('span', {class: 'status'}, order.status)),
    element('td', {}, again),
  );
}

profile.addEventListener('submit', async event => {
  event.preventDefault();
  const changed = {
    name: profile.name.value,
    phone: profile.phone.value,
    newsletter: profile.newsletter.checked,
  };
  showAccount((await call('PUT', '/api/account', changed)).account);
  toast('Your changes are saved');
});

document.getElementById('sign-out').addEventListener('click', async () => {
  await call('POST', '/api/logout');
  dropToken();
  location.assign('/');
});

const [{account}, {orders}] = await Promise.all([
  call('GET', '/api/account'),
  call('GET', '/api/orders'),
]);
showAccount(account);
document.getElementById('orders').replaceChildren(...orders.map(orderRow));
