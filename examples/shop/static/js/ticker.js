// The line of live stock under the header.

const MOST_TRIES = 3;
const PAUSE_MS = 2000;

export function followStock(ticker, tries = 1) {
  const text = ticker.querySelector('.ticker-text');
  const socket = new WebSocket(`ws://${location.host}/feed`);
  let opened = false;

  socket.addEventListener('open', () => {
    opened = true;
    socket.send(JSON.stringify({type: 'subscribe', products: 'all'}));
  });
  socket.addEventListener('message', ({data}) => {
    const message = JSON.parse(data);
    if (message.type !== 'stock') return;
    ticker.dataset.state = 'live';
    text.textContent = `${message.name}: ${message.stock} left`;
  });
  socket.addEventListener('close', () => {
    ticker.dataset.state = 'offline';
    text.textContent = 'Live stock is offline';
    if (opened || tries < MOST_TRIES) setTimeout(() => followStock(ticker, opened ? 1 : tries + 1), PAUSE_MS);
  });
}
