// The parts of the extension one by one, for tests that call them from one of its pages: `window.lab`.

import {isAdmitted} from '../src/admission';
import {Gate} from '../src/gate';
import {DEFAULTS, readSettings, settingsInForce} from '../src/settings';
import {showBadge} from '../src/worker/badge';
import {ContextSize} from '../src/worker/contextSize';
import {DebugLog} from '../src/worker/debugLog';
import {Delivery} from '../src/worker/delivery';
import {Groups} from '../src/worker/groups';
import {lighten} from '../src/worker/lighten';
import {Memory} from '../src/worker/memory';
import {clipOf} from '../src/worker/picture';
import {Screenshots} from '../src/worker/screenshots';
import {Waiting} from '../src/worker/waiting';

const lab = {
  Gate,
  isAdmitted,
  DEFAULTS,
  readSettings,
  settingsInForce,
  showBadge,
  ContextSize,
  DebugLog,
  Delivery,
  Groups,
  lighten,
  Memory,
  clipOf,
  Screenshots,
  Waiting,
};

Object.defineProperty(window, 'lab', {value: lab});
