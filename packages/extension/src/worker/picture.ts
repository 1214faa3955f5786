// Pictures of a tab: what is visible by the ordinary way, the rest only where the debugger is allowed.

import {fieldsOf, textOf} from '../narrow';
import {measurePage, type Area, type Measured} from './inPage';
import {QUALITY, WIDEST, lighten, type Format, type Picture} from './lighten';

const PROTOCOL = '1.3';
const TALLEST = 16_384;
// Chrome allows two a second.
const BETWEEN_MS = 520;
const SLIDE_MS = 250;
const MOST_TRIES = 3;

/** A picture, and why it is not what was asked for. */
export interface Explained extends Picture {
  note?: string;
}

export interface Wanted {
  format: Format;
  selector?: string;
  fullPage?: boolean;
}

export const canDebug = chrome.runtime.getManifest().permissions?.includes('debugger') ?? false;

let turn: Promise<unknown> = Promise.resolve();

/** Take a picture, or throw with a reason for the caller. */
export async function takePicture(tab: chrome.tabs.Tab, wanted: Wanted): Promise<Explained> {
  const special = wanted.selector !== undefined || wanted.fullPage === true;
  if (canDebug && tab.id !== undefined && (special || !tab.active)) {
    try {
      return await photograph(tab.id, wanted);
    } catch (error) {
      if (error instanceof NoSuchElement) throw error;
      const picture = await photographVisible(tab, wanted);
      return {...picture, note: `The debugger could not be used (${String(error)}): this is the visible part of the page.`};
    }
  }
  const picture = await photographVisible(tab, wanted);
  if (!special) return picture;
  const what = wanted.fullPage ? 'A full page' : 'A single element';
  return {...picture, note: `${what} needs the debugger build of the extension (gasoline extension --debugger): this is the visible part of the page.`};
}

/** A picture that cannot be had, with what to do about it. */
export class Unavailable extends Error {}

class NoSuchElement extends Unavailable {}

function photographVisible(tab: chrome.tabs.Tab, {format}: Wanted): Promise<Picture> {
  const picture = turn.then(async () => {
    const current = tab.id === undefined ? tab : await chrome.tabs.get(tab.id);
    // Another tab would be photographed in its place, and switching tabs is the user's business.
    if (!current.active) throw new Unavailable('The tab is in the background: bring it to the front, or use the debugger build of the extension.');
    return lighten(await chrome.tabs.captureVisibleTab(current.windowId, {format, ...jpegQuality(format)}));
  });
  turn = picture.catch(() => undefined).then(() => new Promise(resolve => setTimeout(resolve, BETWEEN_MS)));
  return picture;
}

async function photograph(tabId: number, wanted: Wanted): Promise<Explained> {
  const target = {tabId};
  const before = await measure(tabId, wanted.selector);
  await chrome.debugger.attach(target, PROTOCOL);
  try {
    for (let tries = 1; ; tries++) {
      const settled = await measureSettled(tabId, wanted.selector, before);
      const picture = await shoot(target, wanted, settled);
      if (tries === MOST_TRIES || (await measure(tabId, wanted.selector)).viewHeight === settled.viewHeight) return picture;
    }
  } finally {
    await chrome.debugger.detach(target).catch(() => undefined);
  }
}

// Chrome's bar about the debugger slides in or out and moves the page: its bottom would not be in the picture.
async function measureSettled(tabId: number, selector: string | undefined, before: Measured): Promise<Measured> {
  for (let tries = 1; ; tries++) {
    await new Promise(resolve => setTimeout(resolve, SLIDE_MS));
    const now = await measure(tabId, selector);
    if (now.viewHeight === before.viewHeight || tries === MOST_TRIES) return now;
    before = now;
  }
}

async function shoot(target: {tabId: number}, {format, fullPage}: Wanted, {place, page, pixelRatio}: Measured): Promise<Explained> {
  const area = place ?? (fullPage ? page : undefined);
  const clip = area && {clip: clipOf(area, pixelRatio, await chrome.tabs.getZoom(target.tabId)), captureBeyondViewport: true};
  const shot = fieldsOf(await chrome.debugger.sendCommand(target, 'Page.captureScreenshot', {format, ...jpegQuality(format), ...clip}));
  const cropped = area && area.height > TALLEST ? {note: `The page is ${area.height} px tall: cropped to ${TALLEST} px.`} : {};
  return {...(await lighten(`data:image/${format};base64,${textOf(shot['data'])}`)), ...cropped};
}

async function measure(tabId: number, selector?: string): Promise<Measured> {
  const [answer] = await chrome.scripting.executeScript({target: {tabId}, func: measurePage, args: [selector ?? '']});
  const measured = answer?.result;
  if (selector !== undefined && !measured?.place) throw new NoSuchElement(`No visible element matches ${selector}: query_dom tells what is there.`);
  if (!measured) throw new Error('the page could not be measured');
  return measured;
}

/**
 * An area as the debugger wants it: in pixels of the zoomed page, and scaled so that the picture is
 * no larger than the server keeps it, however dense the screen.
 */
export function clipOf({x, y, width, height}: Area, pixelRatio: number, zoom: number): Area & {scale: number} {
  const shown = Math.min(height, TALLEST);
  const scale = Math.min(1, WIDEST / (width * pixelRatio), TALLEST / (shown * pixelRatio));
  return {x: x * zoom, y: y * zoom, width: width * zoom, height: shown * zoom, scale};
}

function jpegQuality(format: Format): {quality?: number} {
  return format === 'jpeg' ? {quality: QUALITY} : {};
}
