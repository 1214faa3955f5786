// The card form inside the checkout's frame: the card itself never leaves it.
const form = document.getElementById('card');

form.addEventListener('submit', event => {
  event.preventDefault();
  const lastDigits = form.number.value.replaceAll(' ', '').slice(-4);
  parent.postMessage({type: 'card', token: `card_${lastDigits}`, lastDigits}, location.origin);
});
