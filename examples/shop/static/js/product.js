// One product: what it is, how to buy it, what others say, what goes with it.
import {call} from './api.js';
import {productCard} from './catalogue.js';
import {element} from './element.js';
import {showCartCount} from './header.js';
import {money} from './money.js';
import {showReviews} from './reviews.js';
import {toast} from './toast.js';

async function addToCart(product, form) {
  const line = {product: product.id, size: form.size.value, quantity: Number(form.quantity.value)};
  const cart = await call('POST', '/api/cart/lines', line);
  showCartCount(cart.count);
  toast(`${product.name} is in your cart`);
}

async function addToWishes(product) {
  const {items} = await call('GET', '/api/wishlist');
  await call('PUT', '/api/wishlist', {products: [...items.map(item => item.id), product.id]});
  toast(`${product.name} is on your wish list`);
}

function sizeChoice(product) {
  const sizes = product.sizes.map((size, index) =>
    element(
      'label',
      {class: 'choice'},
      element('input', {type: 'radio', name: 'size', value: size, checked: index === 0}),
      ` ${size}`,
    ),
  );
  const choice = element('fieldset', {class: 'sizes'}, element('legend', {}, 'Size'), ...sizes);
  if (product.sizes.length > 1) {
    const open = () => window.open('/size-guide', 'size-guide', 'popup,width=460,height=520');
    choice.append(element('button', {type: 'button', class: 'link', onclick: open}, 'Size guide'));
  }
  return choice;
}

function quantityChoice() {
  const options = [1, 2, 3, 4, 5].map(count => element('option', {value: count}, String(count)));
  return [
    element('label', {for: 'quantity'}, 'Quantity'),
    element('select', {id: 'quantity', name: 'quantity'}, ...options),
  ];
}

function buyForm(product) {
  const addButton = element(
    'button',
    {type: 'button', class: 'button primary', 'data-testid': 'add-to-cart'},
    'Add to cart',
  );
  const wishButton = element('button', {type: 'button', class: 'button'}, 'Add to wish list');
  const form = element(
    'form',
    {class: 'buy', id: 'buy'},
    sizeChoice(product),
    element('div', {class: 'quantity'}, ...quantityChoice()),
    element('div', {class: 'actions'}, addButton, wishButton),
  );
  addButton.addEventListener('click', () => addToCart(product, form));
  wishButton.addEventListener('click', () => addToWishes(product));
  return form;
}

async function showRecommendations(section, product) {
  const {items} = await call('GET', `/api/products/${product.id}/recommendations`);
  section.replaceChildren(
    element('h2', {}, 'Goes well with it'),
    element('ul', {class: 'cards three'}, ...items.map(productCard)),
  );
}

function waiting() {
  const places = [1, 2, 3].map(() => element('li', {class: 'card placeholder'}));
  return element(
    'section',
    {class: 'recommendations', 'aria-label': 'Recommendations'},
    element('h2', {}, 'Looking for company…'),
    element('ul', {class: 'cards three', 'aria-hidden': 'true'}, ...places),
  );
}

function details(product) {
  return element(
    'div',
    {class: 'product-text'},
    element('p', {class: 'eyebrow'}, product.category),
    element('h1', {}, product.name),
    element('p', {class: 'price', 'data-testid': 'price'}, money(product.price)),
    element('p', {class: 'lead'}, product.summary),
    element('ul', {class: 'details'}, ...product.details.map(detail => element('li', {}, detail))),
    element('p', {class: 'muted delivery'}, `${product.stock} in stock, ships in ${product.delivery_days} days`),
    buyForm(product),
  );
}

export async function showProduct(view, id, isCurrent) {
  view.setAttribute('aria-busy', 'true');
  const product = await call('GET', `/api/products/${id}`);
  if (!isCurrent()) return;
  document.title = `${product.name} · Harbour Lane`;
  const reviews = element('section', {class: 'reviews', 'aria-label': 'Reviews'});
  const recommendations = waiting();
  const picture = {src: `/static/img/${product.image}.svg`, alt: product.name, width: 640, height: 480};
  view.replaceChildren(
    element('nav', {class: 'crumbs', 'aria-label': 'Breadcrumb'}, element('a', {href: '/', 'data-spa': true}, '← All products')),
    element('article', {class: 'product'}, element('img', picture), details(product)),
    reviews,
    recommendations,
  );
  view.removeAttribute('aria-busy');
  await Promise.all([showReviews(reviews, id), showRecommendations(recommendations, product)]);
}

addEventListener('message', event => {
  if (event.origin !== location.origin || event.data?.type !== 'size') return;
  const form = document.getElementById('buy');
  if (form) form.size.value = event.data.size;
});
