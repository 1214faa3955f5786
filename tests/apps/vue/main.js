import {createPinia} from 'pinia';
import {createApp} from 'vue';

import App from './App.vue';

createApp(App, {title: 'Orders'}).use(createPinia()).mount('#app');
