// Hearing of the end of a page's load, whenever one begins to listen.

import {isLoaded} from './native';
import {listen, type Stop} from './patch';

export function onceLoaded(run: () => void): Stop {
  if (isLoaded()) run();
  return listen('load', run);
}
