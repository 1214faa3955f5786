import {createRoot} from 'react-dom/client';
import {Provider} from 'react-redux';

import {App} from './App.jsx';
import {store} from './store.js';

createRoot(document.getElementById('app')).render(
  <Provider store={store}>
    <App title="Orders" />
  </Provider>,
);
