// One line of an order that cannot be changed any more.
import {element} from './element.js';
import {money} from './money.js';

export function summaryLine({product, quantity}) {
  return element(
    'li',
    {},
    element('span', {}, `${quantity} × ${product.name}`),
    element('span', {class: 'muted'}, `${money(product.price)} each`),
  );
}
