// The parts of the capture one by one, for tests that call them from outside: `window.lab`.

import * as standard from 'dom-accessibility-api';

import {readBeginning} from '../src/body';
import {headerPairs} from '../src/fetch';
import {formatMessage} from '../src/format';
import {computeName} from '../src/names';
import {encode, stringify} from '../src/native';
import {cutBody, hasAuthHeader, standInFor} from '../src/network';
import {writeScript} from '../src/playwright';
import {isSensitiveInput, redactText} from '../src/redact';
import {getRole} from '../src/roles';
import {cssPathOf, isDynamicClass, roleOf, selectorsOf, textOf} from '../src/selectors';
import {makeSender} from '../src/sender';
import {serialize, toText} from '../src/serialize';
import {ENHANCED_ACTIONS, LOGS, NETWORK_BODIES} from '../src/streams';
import {readVitals} from '../src/vitals';
import {makeSampler} from '../src/websocket';

const lab = {
  standard,
  computeName,
  getRole,
  serialize,
  toText,
  format: (...args: unknown[]) => formatMessage(args, args.map(serialize)),
  stringify,
  encode,
  readBeginning,
  headerPairs,
  hasAuthHeader,
  cutBody,
  standInFor,
  redactText,
  isSensitiveInput,
  selectorsOf,
  cssPathOf,
  isDynamicClass,
  roleOf,
  textOf,
  writeScript,
  readVitals,
  makeSampler,
  makeSender,
  ENHANCED_ACTIONS,
  LOGS,
  NETWORK_BODIES,
};

Object.defineProperty(window, 'lab', {value: lab});
