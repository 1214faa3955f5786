import {memo, useState} from 'react';

import {formatTotal} from '../format.js';

export const OrderCard = memo(function OrderCard({order, onRemove}) {
  const [total, setTotal] = useState('');
  return (
    <section aria-label="Order">
      <p data-testid="customer">{order.customer}</p>
      <ul>
        {order.items.map(item => (
          <li key={item.id}>
            {item.name} <button onClick={() => onRemove(item.id)}>Remove</button>
          </li>
        ))}
      </ul>
      <button onClick={() => setTotal(formatTotal(order))}>Show total</button>
      <output>{total}</output>
    </section>
  );
});
