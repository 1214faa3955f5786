// The wish list, sorted by dragging or with the arrow buttons.
import {call} from './api.js';
import {element} from './element.js';
import {money} from './money.js';

const list = document.getElementById('wishes');
let wishes = [];

async function save(products) {
  show((await call('PUT', '/api/wishlist', {products})).items);
}

function move(from, to) {
  const products = wishes.map(product => product.id);
  products.splice(to, 0, ...products.splice(from, 1));
  return save(products);
}

function drop(event, place) {
  event.preventDefault();
  return move(Number(event.dataTransfer.getData('text/plain')), place);
}

function dragStart(event, place) {
  event.dataTransfer.setData('text/plain', place);
  event.dataTransfer.effectAllowed = 'move';
}

function shownWish(product, place) {
  const button = (label, text, onclick, disabled = false) =>
    element('button', {type: 'button', class: 'button small', 'aria-label': label, onclick, disabled}, text);
  const others = wishes.filter(wish => wish !== product).map(wish => wish.id);
  return element(
    'li',
    {
      class: 'wish',
      draggable: 'true',
      ondragstart: event => dragStart(event, place),
      ondragover: event => event.preventDefault(),
      ondrop: event => drop(event, place),
    },
    element('span', {class: 'grip', 'aria-hidden': 'true'}, '⠿'),
    element('img', {src: `/static/img/${product.image}.svg`, alt: '', width: 64, height: 48, draggable: 'false'}),
    element('a', {href: `/products/${product.id}`, class: 'wish-name', draggable: 'false'}, product.name),
    element('span', {class: 'wish-price'}, money(product.price)),
    button(`Move ${product.name} up`, '↑', () => move(place, place - 1), place === 0),
    button(`Remove ${product.name}`, '×', () => save(others)),
  );
}

function show(items) {
  wishes = items;
  list.replaceChildren(...items.map(shownWish));
  document.getElementById('empty').hidden = items.length > 0;
}

show((await call('GET', '/api/wishlist')).items);
