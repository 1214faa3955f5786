// Signs a visitor in and sends them on to where they wanted to go.
import {ApiError, call, keepToken} from './api.js';

const form = document.getElementById('login');
const refusal = document.getElementById('login-error');

function wantedPage() {
  const next = new URLSearchParams(location.search).get('next') ?? '';
  return /^\/[a-z]+$/.test(next) ? next : '/account';
}

form.addEventListener('submit', async event => {
  event.preventDefault();
  refusal.hidden = true;
  try {
    const {token} = await call('POST', '/api/login', {email: form.email.value, password: form.password.value});
    keepToken(token);
    location.assign(wantedPage());
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    refusal.textContent = error.message;
    refusal.hidden = false;
  }
});
