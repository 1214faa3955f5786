// Every change of the address without a page load.

import {pageUrl} from './native';
import {listen, patchMethod, quietly, stopAll, type Stop} from './patch';

/** Tell of each, whoever made it. */
export function captureNavigation(changed: (fromUrl: string, toUrl: string) => void): Stop {
  let current = pageUrl();
  const compare = (): void => {
    const previous = current;
    current = pageUrl();
    if (current !== previous) changed(previous, current);
  };
  const around = (proceed: () => unknown): unknown => {
    const result = proceed();
    quietly(compare);
    return result;
  };
  return stopAll([
    patchMethod(History.prototype, 'pushState', around),
    patchMethod(History.prototype, 'replaceState', around),
    listen('popstate', compare),
    listen('hashchange', compare),
  ]);
}
