import {lazy, Suspense, useState} from 'react';
import {useDispatch, useSelector} from 'react-redux';

import {Filter} from './Filter.jsx';
import {OrderCard} from './OrderCard.jsx';

const Receipt = lazy(() => import('./Receipt.jsx'));

export function App({title}) {
  const dispatch = useDispatch();
  const order = useSelector(state => state.order);
  const [receipt, setReceipt] = useState(false);

  async function load() {
    dispatch({type: 'loading'});
    const response = await fetch('/api/orders/7');
    const loaded = await response.json();
    console.log('order loaded', loaded);
    dispatch({type: 'loaded', order: loaded});
  }

  return (
    <main>
      <h1>{title}</h1>
      <Filter />
      <button onClick={load}>Load order</button>
      {order && <OrderCard order={order} onRemove={id => dispatch({type: 'removed', id})} />}
      {order && <button onClick={() => setReceipt(true)}>Show receipt</button>}
      {receipt && (
        <Suspense>
          <Receipt order={order} />
        </Suspense>
      )}
    </main>
  );
}
