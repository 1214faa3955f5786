// Talks to the shop's API.

const TOKEN = 'shop.token';

export class ApiError extends Error {
  constructor(status, answer) {
    super(answer.error);
    this.name = 'ApiError';
    this.status = status;
    this.code = answer.code;
  }
}

export async function call(method, path, body) {
  const headers = {Accept: 'application/json'};
  const token = localStorage.getItem(TOKEN);
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const response = await fetch(path, {method, headers, body: body && JSON.stringify(body)});
  const answer = await response.json();
  if (!response.ok) throw new ApiError(response.status, answer);
  return answer;
}

export async function askGraph(operationName, query, variables) {
  const {data} = await call('POST', '/graphql', {operationName, query, variables});
  return data;
}

export function keepToken(token) {
  localStorage.setItem(TOKEN, token);
}

export function dropToken() {
  localStorage.removeItem(TOKEN);
}
