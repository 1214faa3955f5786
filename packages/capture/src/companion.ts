// What need not be there when a page starts, as it needs something to look at or somebody who uses it: whoever puts the
// capture into pages may bring it along, or later.

import {captureActions, newAction, pointAt} from './actions';
import {captureDeadClicks} from './deadClicks';
import {captureDom, takeSnapshot} from './dom';
import {enrichLater, enrichNow} from './enrichment';
import {capturePerformance} from './performance';
import {writeScript} from './playwright';
import {selectorsOf} from './selectors';
import {readSource, scriptsOf} from './sources';
import {watchState} from './state';

export const companion = {
  captureActions,
  captureDeadClicks,
  captureDom,
  capturePerformance,
  enrichLater,
  enrichNow,
  newAction,
  pointAt,
  readSource,
  scriptsOf,
  selectorsOf,
  takeSnapshot,
  watchState,
  writeScript,
};

export type Companion = typeof companion;

/** Calls what it is given with the companion: at once, or when it comes. */
export type WithCompanion = (use: (companion: Companion) => void) => void;
