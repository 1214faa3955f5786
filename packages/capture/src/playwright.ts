// Recorded actions as the text of a short Playwright test.

import {pageUrl} from './native';
import {escape} from './selectors';
import type {EnhancedAction, Selectors} from './wire';

const PAUSE_MS = 2000;
const SCRIPT_CHARS = 51_200;

export interface ScriptOptions {
  errorMessage?: string;
  baseUrl?: string;
}

/** The server writes better ones; this is what a page can have without it. */
export function writeScript(actions: readonly EnhancedAction[], {errorMessage = 'captured user actions', baseUrl}: ScriptOptions = {}): string {
  const start = actions[0]?.url ?? pageUrl();
  const lines = [`await page.goto(${quote(baseUrl ? start.replace(/^\w+:\/\/[^/]*/, baseUrl) : start)});`];
  let last = Number(actions[0]?.timestamp);
  for (const action of actions) {
    const at = Number(action.timestamp);
    if (at - last > PAUSE_MS) lines.push(`// [${Math.round((at - last) / 1000)}s pause]`);
    last = at;
    lines.push(writeStep(action));
  }
  const title = quote(`reproduction: ${errorMessage.slice(0, 80)}`);
  const body = lines.map(line => `  ${line}\n`).join('');
  return `import {test} from '@playwright/test';\n\ntest(${title}, async ({page}) => {\n${body.slice(0, SCRIPT_CHARS)}});\n`;
}

function writeStep({type = '', selectors, value, inputType, key, selectedValue, toUrl, scrollY}: EnhancedAction): string {
  if (type === 'scroll') return `// scrolled to y=${scrollY}`;
  if (type === 'keypress') return `await page.keyboard.press(${quote(key)});`;
  if (type === 'navigate') return `await page.waitForURL(${quote(toUrl)});`;
  if (!selectors) return `// ${type}: nothing to point at`;
  const secret = inputType === 'password' || value === '[redacted]';
  const call = {
    click: 'click()',
    input: `fill(${quote(secret ? '[user-provided]' : value)})`,
    select: `selectOption(${quote(selectedValue)})`,
  }[type];
  const locator = `page.${locate(selectors)}`;
  return call ? `await ${locator}.${call};` : `// ${type}: ${locator}`;
}

function locate({testId, role, ariaLabel, text, id, cssPath}: Selectors): string {
  if (testId) return `getByTestId(${quote(testId)})`;
  if (role?.name) return `getByRole(${quote(role.role)}, {name: ${quote(role.name)}})`;
  if (ariaLabel) return `getByLabel(${quote(ariaLabel)})`;
  if (text) return `getByText(${quote(text)})`;
  return `locator(${quote(id ? `#${escape(id)}` : cssPath)})`;
}

function quote(text: string | null | undefined): string {
  return `'${(text ?? '').replace(/['\\]/g, '\\$&').replace(/\s/g, ' ')}'`;
}
