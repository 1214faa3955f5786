// The catalogue and its products: one document, many addresses.
import {showCatalogue} from './catalogue.js';
import {showProduct} from './product.js';
import {followStock} from './ticker.js';

const view = document.getElementById('view');
const hero = document.getElementById('hero');
const searchForm = document.querySelector('form[role=search]');

let latest = 0;

async function route() {
  // Two answers can overtake each other: only the view that was asked for last is shown.
  const turn = ++latest;
  const isCurrent = () => turn === latest;
  const address = new URL(location.href);
  const product = address.pathname.match(/^\/products\/(\d+)$/);
  const query = address.searchParams.get('q') ?? '';
  hero.hidden = Boolean(product) || query !== '';
  searchForm.q.value = query;
  if (product) await showProduct(view, Number(product[1]), isCurrent);
  else await showCatalogue(view, {query, category: address.searchParams.get('category') ?? ''}, go, isCurrent);
}

function go(path) {
  history.pushState({}, '', path);
  scrollTo(0, 0);
  return route();
}

document.addEventListener('click', event => {
  const link = event.target.closest('a[data-spa]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.getAttribute('href'));
});

searchForm.addEventListener('submit', event => {
  event.preventDefault();
  const query = searchForm.q.value.trim();
  go(query ? `/?${new URLSearchParams({q: query})}` : '/');
});

addEventListener('popstate', route);
followStock(document.getElementById('ticker'));
route();
