// Pictures of a tab: what is visible by the ordinary way, the rest only where the debugger is allowed.

import {fieldsOf, numberOf, textOf} from '../narrow';
import {placeOf} from './inPage';

const PROTOCOL = '1.3';
const TALLEST = 16_384;
// Chrome allows two a second.
const BETWEEN_MS = 520;

export interface Picture {
  dataUrl: string;
  width: number;
  height: number;
  note?: string;
}

export interface Wanted {
  format: 'png' | 'jpeg';
  selector?: string;
  fullPage?: boolean;
}

export const canDebug = chrome.runtime.getManifest().permissions?.includes('debugger') ?? false;

let turn: Promise<unknown> = Promise.resolve();

/** Take a picture, or throw with a reason for the caller. */
export async function takePicture(tab: chrome.tabs.Tab, wanted: Wanted): Promise<Picture> {
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

class NoSuchElement extends Error {}

function photographVisible(tab: chrome.tabs.Tab, {format}: Wanted): Promise<Picture> {
  const picture = turn.then(async () => {
    const current = tab.id === undefined ? tab : await chrome.tabs.get(tab.id);
    // Another tab would be photographed in its place, and switching tabs is the user's business.
    if (!current.active) throw new Error('The tab is in the background: bring it to the front, or use the debugger build of the extension.');
    const dataUrl = await chrome.tabs.captureVisibleTab(current.windowId, {format, ...(format === 'jpeg' ? {quality: 80} : {})});
    return {dataUrl, ...(await sizeOf(dataUrl))};
  });
  turn = picture.catch(() => undefined).then(() => new Promise(resolve => setTimeout(resolve, BETWEEN_MS)));
  return picture;
}

async function photograph(tabId: number, {format, selector, fullPage}: Wanted): Promise<Picture> {
  const target = {tabId};
  const place = selector === undefined ? undefined : await findPlace(tabId, selector);
  await chrome.debugger.attach(target, PROTOCOL);
  try {
    const metrics = fieldsOf(await chrome.debugger.sendCommand(target, 'Page.getLayoutMetrics'));
    const page = fieldsOf(metrics['cssContentSize']);
    const pageHeight = numberOf(page['height']);
    const whole = {x: 0, y: 0, width: numberOf(page['width']), height: Math.min(pageHeight, TALLEST)};
    const area = place ?? (fullPage ? whole : undefined);
    const shot = fieldsOf(
      await chrome.debugger.sendCommand(target, 'Page.captureScreenshot', {
        format,
        ...(format === 'jpeg' ? {quality: 80} : {}),
        ...(area ? {clip: {...area, scale: 1}, captureBeyondViewport: true} : {}),
      }),
    );
    const dataUrl = `data:image/${format};base64,${textOf(shot['data'])}`;
    const cropped = fullPage && pageHeight > TALLEST ? {note: `The page is ${pageHeight} px tall: cropped to ${TALLEST} px.`} : {};
    return {dataUrl, ...(await sizeOf(dataUrl)), ...cropped};
  } finally {
    await chrome.debugger.detach(target).catch(() => undefined);
  }
}

async function findPlace(tabId: number, selector: string): Promise<{x: number; y: number; width: number; height: number}> {
  const [answer] = await chrome.scripting.executeScript({target: {tabId}, func: placeOf, args: [selector]});
  const place = answer?.result;
  if (!place || place.width === 0 || place.height === 0) throw new NoSuchElement(`No visible element matches ${selector}.`);
  return place;
}

async function sizeOf(dataUrl: string): Promise<{width: number; height: number}> {
  const bitmap = await createImageBitmap(await (await fetch(dataUrl)).blob());
  const {width, height} = bitmap;
  bitmap.close();
  return {width, height};
}
