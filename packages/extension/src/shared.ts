// What the companion has in common with the capture that it comes to: the browser's functions as they were before the
// page's first script, and what may be there only once. The build fails when it needs anything else of those modules.

import {readBeginning} from '../../capture/src/body';
import {addContext} from '../../capture/src/errorEntry';
import {Array, Error, Map, Math, Number, Object, performance, RegExp, Set, String, window} from '../../capture/src/globals';
import {onFirstUse} from '../../capture/src/lazy';
import {logEntry} from '../../capture/src/logEntry';
import {addListener, at, attributeOf, bare, cancelLater, chain, entriesOf, epochNow, get, isCallable, isElement, isField, isInput, isLoaded, isObject, isoTime, isSelect, isText, keysOf, later, nativeFetch, NativeObserver, now, pageUrl, pause, removeListener, stringify} from '../../capture/src/native';
import {askedFor} from '../../capture/src/network';
import {deeds, listen, nothing, patchMethod, quietly, stopAll} from '../../capture/src/patch';
import {INPUT_MARK, isSecretName, isSensitiveInput, redactText} from '../../capture/src/redact';
import {cut} from '../../capture/src/serialize';
import {fieldsOf, numberOf, textOf, textsOf} from './narrow';

/** Made when the companion comes: no page waits for it. */
export const share = () => ({
  Array,
  Error,
  Map,
  Math,
  Number,
  Object,
  performance,
  RegExp,
  Set,
  String,
  window,
  addContext,
  addListener,
  askedFor,
  at,
  attributeOf,
  bare,
  cancelLater,
  chain,
  cut,
  deeds,
  entriesOf,
  epochNow,
  fieldsOf,
  get,
  INPUT_MARK,
  isCallable,
  isElement,
  isField,
  isInput,
  isLoaded,
  isObject,
  isoTime,
  isSecretName,
  isSelect,
  isSensitiveInput,
  isText,
  keysOf,
  later,
  listen,
  logEntry,
  nativeFetch,
  NativeObserver,
  nothing,
  numberOf,
  now,
  onFirstUse,
  pageUrl,
  patchMethod,
  pause,
  quietly,
  readBeginning,
  redactText,
  removeListener,
  stopAll,
  stringify,
  textOf,
  textsOf,
});
