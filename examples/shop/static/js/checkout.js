// From a cart to an order.
import {ApiError, call} from './api.js';
import {money, shippingCost, subtotal} from './money.js';
import {summaryLine} from './summaryLine.js';

const form = document.getElementById('checkout');
const frame = document.getElementById('payment-frame');
const cardReady = document.getElementById('card-ready');
const refusal = document.getElementById('order-error');
let cardToken = null;

function showTotal(lines) {
  const shipping = shippingCost(form.shipping.value);
  document.getElementById('shipping-cost').textContent = money({amount: shipping});
  document.getElementById('total').textContent = money({amount: subtotal(lines) + shipping});
}

function showPayment() {
  const byCard = form.payment.value === 'card';
  frame.hidden = !byCard;
  if (byCard && !frame.src) frame.src = '/payment';
}

function purchase() {
  const [file] = form.attachment.files;
  return {
    name: form.elements.name.value,
    street: form.street.value,
    city: form.city.value,
    shipping: form.shipping.value,
    payment: form.payment.value,
    gift_wrap: form.gift_wrap.checked,
    delivery_date: form.delivery_date.value,
    note: form.note.value,
    card_token: cardToken,
    attachment: file ? {name: file.name, bytes: file.size} : null,
  };
}

async function placeOrder(event) {
  event.preventDefault();
  refusal.hidden = true;
  try {
    const order = await call('POST', '/api/orders', purchase());
    location.assign(`/orders/${order.number}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    console.error('The order was not placed:', error);
    refusal.textContent = `We could not place your order. ${error.message}.`;
    refusal.hidden = false;
  }
}

addEventListener('message', event => {
  if (event.origin !== location.origin || event.data?.type !== 'card') return;
  cardToken = event.data.token;
  cardReady.textContent = `Card ending in ${event.data.lastDigits} is ready`;
  cardReady.hidden = false;
});

const [{account}, {lines}] = await Promise.all([call('GET', '/api/account'), call('GET', '/api/cart')]);
form.elements.name.value = account.name;
form.street.value = account.street;
form.city.value = account.city;
document.getElementById('summary-lines').replaceChildren(...lines.map(summaryLine));
showTotal(lines);
form.shipping.addEventListener('change', () => showTotal(lines));
form.addEventListener('change', showPayment);
form.addEventListener('submit', placeOrder);
showPayment();
