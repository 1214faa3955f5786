// Pictures of a size that the server takes: it would make larger ones smaller itself.

import {textOf} from '../narrow';

export const WIDEST = 1280;
export const QUALITY = 80;
// The server takes uploads of five megabytes, and keeps a tenth of that.
const LARGEST_CHARS = 4_500_000;

export type Format = 'png' | 'jpeg';

export interface Picture {
  dataUrl: string;
  width: number;
  height: number;
}

/** The picture with its size; one that is too wide or too large for the server is drawn anew. */
export async function lighten(dataUrl: string): Promise<Picture> {
  const bitmap = await createImageBitmap(await (await fetch(dataUrl)).blob());
  const {width, height} = bitmap;
  const format = dataUrl.startsWith('data:image/jpeg') ? 'jpeg' : 'png';
  let picture = width > WIDEST ? await redraw(bitmap, WIDEST, format) : {dataUrl, width, height};
  for (let widest = Math.min(width, WIDEST); picture.dataUrl.length > LARGEST_CHARS; widest *= 0.7) picture = await redraw(bitmap, widest, 'jpeg');
  bitmap.close();
  return picture;
}

async function redraw(bitmap: ImageBitmap, widest: number, format: Format): Promise<Picture> {
  const width = Math.max(1, Math.round(widest));
  const height = Math.max(1, Math.round((bitmap.height * width) / bitmap.width));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser cannot draw pictures.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  return {dataUrl: await dataUrlOf(await canvas.convertToBlob({type: `image/${format}`, quality: QUALITY / 100})), width, height};
}

function dataUrlOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(textOf(reader.result));
    reader.onerror = () => reject(new Error('The picture could not be read.'));
    reader.readAsDataURL(blob);
  });
}
