// Lets a visitor put the announcement away, for as long as the tab lives.
const promo = document.getElementById('promo');

promo.hidden = sessionStorage.getItem('promo') === 'closed';
promo.querySelector('button').addEventListener('click', () => {
  sessionStorage.setItem('promo', 'closed');
  promo.hidden = true;
});
