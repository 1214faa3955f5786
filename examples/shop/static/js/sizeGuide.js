// The size guide's own window: a choice goes back to the product.
const choice = document.getElementById('choice');

for (const button of document.querySelectorAll('[data-size]')) {
  button.addEventListener('click', () => {
    opener?.postMessage({type: 'size', size: button.dataset.size}, location.origin);
    choice.textContent = `Size ${button.dataset.size} is chosen. You can close this window.`;
  });
}
