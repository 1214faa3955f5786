import {legacy_createStore as createStore} from 'redux';
import {create} from 'zustand';

const initial = {order: null, session: {user: 'ada', token: 'not-for-anyone'}, loadingStatus: 'idle'};

export const store = createStore((state = initial, action) => {
  if (action.type === 'loading') return {...state, loadingStatus: 'loading'};
  if (action.type === 'loaded') return {...state, order: action.order, loadingStatus: 'done'};
  if (action.type === 'removed') {
    return {...state, order: {...state.order, items: state.order.items.filter(item => item.id !== action.id)}};
  }
  return state;
});

export const useFilter = create(set => ({search: '', status: 'all', change: values => set(values)}));
