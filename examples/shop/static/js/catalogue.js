// The list of products, by category or by search.
import {call} from './api.js';
import {element} from './element.js';
import {money} from './money.js';

export function productCard(product) {
  return element(
    'li',
    {class: 'card'},
    element(
      'a',
      {href: `/products/${product.id}`, 'data-spa': true},
      element('img', {src: `/static/img/${product.image}.svg`, alt: '', width: 320, height: 240}),
      element('span', {class: 'card-category'}, product.category),
      element('span', {class: 'card-name'}, product.name),
      element('span', {class: 'card-price'}, money(product.price)),
    ),
  );
}

function filterBar(categories, chosen, go) {
  const buttons = ['', ...categories].map(category =>
    element(
      'button',
      {
        type: 'button',
        class: 'chip',
        'aria-pressed': String(category === chosen),
        onclick: () => go(category ? `/?${new URLSearchParams({category})}` : '/'),
      },
      category || 'All',
    ),
  );
  return element('div', {class: 'filters', role: 'group', 'aria-label': 'Category'}, ...buttons);
}

function find({query, category}) {
  if (query) return call('GET', `/api/search?${new URLSearchParams({q: query})}`);
  return call('GET', category ? `/api/products?${new URLSearchParams({category})}` : '/api/products');
}

function describe(query, total) {
  const products = total === 1 ? '1 product' : `${total} products`;
  return query ? `${products} for “${query}”` : products;
}

async function showCustomers(list) {
  const {customers} = await call('GET', '/api/customers');
  list.append(...customers.map(person => element('li', {}, `${person.name}, ${person.city}`)));
}

export async function showCatalogue(view, wanted, go, isCurrent) {
  view.setAttribute('aria-busy', 'true');
  const {items, total, categories} = await find(wanted);
  if (!isCurrent()) return;
  document.title = 'Things that last · Harbour Lane';
  const customers = element('ul', {class: 'customers'});
  view.replaceChildren(
    element(
      'div',
      {class: 'toolbar'},
      filterBar(categories, wanted.query ? null : wanted.category, go),
      element('p', {class: 'muted', role: 'status'}, describe(wanted.query, total)),
    ),
    element('ul', {class: 'cards', 'data-testid': 'products'}, ...items.map(productCard)),
    element('section', {class: 'thanks'}, element('h2', {}, 'Thank you for the reviews'), customers),
  );
  view.removeAttribute('aria-busy');
  await showCustomers(customers);
}
