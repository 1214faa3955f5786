import {defineStore} from 'pinia';

export const useOrders = defineStore('orders', {
  state: () => ({order: null, session: {user: 'ada', token: 'not-for-anyone'}, loadingStatus: 'idle'}),
  actions: {
    async load() {
      this.loadingStatus = 'loading';
      const response = await fetch('/api/orders/7');
      const loaded = await response.json();
      console.log('order loaded', loaded);
      this.order = loaded;
      this.loadingStatus = 'done';
    },
    remove(id) {
      this.order.items = this.order.items.filter(item => item.id !== id);
    },
  },
});

export const useFilter = defineStore('filter', {state: () => ({search: '', status: 'all'})});
