// The number on the toolbar button.

const CONNECTED = '#3fb950';
const DISCONNECTED = '#f85149';
const LARGEST = 99;

export async function showBadge(connected: boolean, errors: number): Promise<void> {
  const count = errors > LARGEST ? `${LARGEST}+` : String(errors);
  await Promise.all([
    chrome.action.setBadgeBackgroundColor({color: connected ? CONNECTED : DISCONNECTED}),
    chrome.action.setBadgeTextColor({color: '#ffffff'}),
    chrome.action.setBadgeText({text: connected ? (errors > 0 ? count : '') : '!'}),
    chrome.action.setTitle({title: connected ? `Gasoline: connected, ${errors} ${errors === 1 ? 'error' : 'errors'}` : 'Gasoline: no server'}),
  ]);
}
