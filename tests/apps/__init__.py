"""The same small page of orders in React, Vue and Svelte, built by Vite as users build theirs."""
