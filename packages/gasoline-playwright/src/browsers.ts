// Every browser that this process drives through Playwright, whichever way it got it.

import type {Browser, BrowserContext, Page} from '@playwright/test';

import {NO_SCRIPTS} from './admission';
import {hasField} from './server';
import type {Session} from './session';
import {methodWrapper} from './wrapMethod';

const GET_A_BROWSER = ['launch', 'connect', 'connectOverCDP'] as const;

const observed = new WeakSet<object>();

/** Observe one copy of Playwright, which lies in a folder. A process may hold several. */
export function observeBrowsers(playwright: object, folder: string, session: Session): void {
  const wrap = methodWrapper(folder);

  observeClass(Reflect.get(playwright, 'chromium'), browserType => {
    for (const name of GET_A_BROWSER) wrap(browserType, name, {after: async browser => isBrowser(browser) && (await observeBrowser(browser))});
    wrap(browserType, 'launchPersistentContext', {after: async (context, [, options]) => isContext(context) && (await observeNew(context, options))});
  });

  async function observeBrowser(browser: Browser): Promise<void> {
    observeClass(browser, browsers => {
      wrap(browsers, 'newContext', {after: async (context, [options]) => isContext(context) && (await observeNew(context, options))});
      wrap(browsers, 'newPage', {after: async (page, [options]) => isPage(page) && (await observeNew(page.context(), options))});
      wrap(browsers, 'close', {before: async target => isBrowser(target) && (await session.drain(target.contexts().flatMap(context => context.pages())))});
    });
    await Promise.all(browser.contexts().map(observeContext));
  }

  async function observeNew(context: BrowserContext, options: unknown): Promise<void> {
    const isNew = !observed.has(context);
    await observeContext(context);
    // `newPage` may open its context through `newContext`.
    if (isNew && hasField(options, 'javaScriptEnabled') && options.javaScriptEnabled === false) session.admit(NO_SCRIPTS);
  }

  async function observeContext(context: BrowserContext): Promise<void> {
    if (observed.has(context)) return;
    observed.add(context);
    observeClass(context, contexts => {
      wrap(contexts, 'close', {before: async target => isContext(target) && (await session.drain(target.pages()))});
    });
    context.pages().forEach(observePage);
    context.on('page', observePage);
    await session.adopt(context);
  }

  function observePage(page: Page): void {
    observeClass(page, pages => {
      wrap(pages, 'close', {before: async target => isPage(target) && (await session.drain([target]))});
    });
  }
}

function observeClass(instance: unknown, observe: (prototype: object) => void): void {
  const prototype = typeof instance === 'object' && instance !== null ? Reflect.getPrototypeOf(instance) : null;
  if (prototype === null || observed.has(prototype)) return;
  observed.add(prototype);
  observe(prototype);
}

/** Whether a module is Playwright: it has browsers to launch. */
export function isPlaywright(value: unknown): value is object {
  return hasMethods(value) && hasMethods(Reflect.get(value, 'chromium'), 'launch', 'connectOverCDP', 'launchPersistentContext');
}

function isBrowser(value: unknown): value is Browser {
  return hasMethods(value, 'newContext', 'contexts', 'newBrowserCDPSession');
}

function isContext(value: unknown): value is BrowserContext {
  return hasMethods(value, 'exposeBinding', 'addInitScript', 'pages');
}

function isPage(value: unknown): value is Page {
  return hasMethods(value, 'frames', 'context', 'isClosed');
}

function hasMethods(value: unknown, ...names: string[]): value is object {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return names.every(name => typeof Reflect.get(value, name) === 'function');
}
