// Says thank you for one order.
import {call} from './api.js';
import {money} from './money.js';
import {summaryLine} from './summaryLine.js';

const order = await call('GET', `/api${location.pathname}`);
document.getElementById('order-number').textContent = order.number;
document.getElementById('order-lines').replaceChildren(...order.lines.map(summaryLine));
document.getElementById('order-total').textContent = money(order.total);
