/* gasoline-ci 0.1.0 Apache-2.0 */
"use strict";
(() => {
  // packages/capture/src/native.ts
  var { setTimeout: nativeSetTimeout, clearTimeout: nativeClearTimeout, Date: NativeDate, Promise: NativePromise } = window;
  var { addEventListener, removeEventListener } = EventTarget.prototype;
  var NativeObserver = window.MutationObserver;
  var nativeStringify = JSON.stringify;
  var parse = JSON.parse;
  var { apply, construct, get } = Reflect;
  var nativeFetch = window.fetch.bind(window);
  var now = performance.now.bind(performance);
  var epochNow = Date.now;
  function later(run, ms) {
    return apply(nativeSetTimeout, window, [run, ms]);
  }
  function cancelLater(timer) {
    apply(nativeClearTimeout, window, [timer]);
  }
  function pause(ms) {
    return new NativePromise((resolve) => later(resolve, ms));
  }
  var urlOf = Object.getOwnPropertyDescriptor(Document.prototype, "URL")?.get;
  function pageUrl() {
    return urlOf ? apply(urlOf, document, []) : location.href;
  }
  function isBlank() {
    return pageUrl() === "about:blank";
  }
  function entriesOf(type) {
    return performance.getEntriesByType(type);
  }
  function isLoaded() {
    return document.readyState === "complete";
  }
  var lastMs = Number.NaN;
  var lastIso = "";
  function isoTime(epochMs) {
    if (epochMs !== lastMs) {
      lastIso = new NativeDate(epochMs).toISOString();
      lastMs = epochMs;
    }
    return lastIso;
  }
  function addListener(target, type, listener) {
    apply(addEventListener, target, [type, listener, true]);
  }
  function removeListener(target, type, listener) {
    apply(removeEventListener, target, [type, listener, true]);
  }
  function randomId(prefix) {
    return crypto.randomUUID?.() ?? `${prefix}_${epochNow()}_${randomWord()}`;
  }
  function randomWord() {
    return Math.random().toString(36).slice(2, 11);
  }
  function attributeOf(element, name) {
    return element.getAttribute(name);
  }
  function bare(object) {
    return { __proto__: null, ...object };
  }
  function isText(value) {
    return typeof value === "string";
  }
  function isCallable(value) {
    return typeof value === "function";
  }
  function isObject(value) {
    return typeof value === "object" && value !== null;
  }
  function isElement(value) {
    return value instanceof Element;
  }
  function isSelect(value) {
    return value instanceof HTMLSelectElement;
  }
  function isField(value) {
    return isInput(value) || value instanceof HTMLTextAreaElement;
  }
  function isInput(value) {
    return value instanceof HTMLInputElement;
  }
  function at(holder, ...path) {
    let found = holder;
    for (const key of path) {
      if (!isObject(found) && !isCallable(found)) return void 0;
      try {
        found = get(found, key);
      } catch {
        return void 0;
      }
    }
    return found;
  }
  var CHAIN = 1e3;
  function* chain(first2, link) {
    let count = 0;
    for (let next = first2; isObject(next) && count < CHAIN; next = at(next, link), count++) yield next;
  }
  function keysOf(value) {
    return isObject(value) && !Array.isArray(value) ? Object.keys(value) : [];
  }
  function isIterable(value) {
    return isObject(value) && Symbol.iterator in value;
  }
  function stringify(value) {
    return "toJSON" in nativeList ? encode(value, Infinity) : nativeStringify(value);
  }
  var nativeList = [];
  function encode(value, chars) {
    let text2 = "";
    const write = (item) => {
      if (!isObject(item)) {
        text2 += nativeStringify(item) ?? "null";
        return;
      }
      const isList = Array.isArray(item);
      let joint = isList ? "[" : "{";
      for (const key of isList ? item.keys() : Object.keys(item)) {
        if (text2.length > chars) return;
        const member = get(item, key);
        if (member === void 0 && !isList) continue;
        text2 += isList ? joint : `${joint}${nativeStringify(key)}:`;
        joint = ",";
        write(member);
      }
      text2 += (joint === "," ? "" : joint) + (isList ? "]" : "}");
    };
    write(value);
    return text2;
  }

  // packages/capture/src/patch.ts
  var nothing = () => void 0;
  function quietly(run) {
    try {
      return run();
    } catch {
      return void 0;
    }
  }
  async function quietlyLater(run) {
    try {
      await run();
    } catch {
    }
  }
  var looking = false;
  function look(run) {
    if (looking) return void 0;
    looking = true;
    try {
      return run();
    } catch {
      return void 0;
    } finally {
      looking = false;
    }
  }
  function stopAll(stops) {
    return () => stops.forEach((stop) => stop && quietly(stop));
  }
  function startAll(starts) {
    return stopAll(starts.map(quietly));
  }
  function on(target, type, handle) {
    const listener = (event) => void look(() => handle(event));
    addListener(target, type, listener);
    return () => removeListener(target, type, listener);
  }
  var listening = /* @__PURE__ */ new Map();
  function listen(type, handle) {
    const listener = (event) => void look(() => handle(event));
    addListener(window, type, listener);
    listening.set(listener, type);
    return () => {
      listening.delete(listener);
      removeListener(window, type, listener);
    };
  }
  function keepListening(onContent, isEmpty) {
    const watch3 = (subtree) => observer.observe(document, { childList: true, subtree });
    const observer = new NativeObserver(
      () => quietly(() => {
        watch3(false);
        for (const [listener, type] of listening) addListener(window, type, listener);
        onContent();
      })
    );
    watch3(isEmpty);
    return () => observer.disconnect();
  }
  function replaceProperty(holder, name, value) {
    const own = Object.getOwnPropertyDescriptor(holder, name);
    if (own && !own.configurable && !own.writable) return nothing;
    const original = holder[name];
    const bared = holder;
    if (own && !own.configurable) holder[name] = value;
    else Object.defineProperty(holder, name, bare({ configurable: true, enumerable: own?.enumerable ?? true, writable: true, value }));
    return () => {
      if (holder[name] !== value) return;
      if (!own) delete bared[name];
      else if (own.configurable) Object.defineProperty(holder, name, bare(own));
      else holder[name] = original;
    };
  }
  var deeds = { soFar: 0, afterwards: false };
  function patchMethod(holder, name, around) {
    const original = holder[name];
    if (!isCallable(original)) return nothing;
    const handler = {
      apply: (target, receiver, args) => {
        if (holder !== console) deeds.soFar++;
        return around(() => apply(target, receiver, args), args, receiver);
      }
    };
    return replaceProperty(holder, name, new Proxy(original, bare(handler)));
  }
  function observeCalls(holder, name, observe2) {
    return patchMethod(holder, name, (proceed, args, receiver) => {
      look(() => observe2(args, receiver));
      return proceed();
    });
  }
  function hasConstructor(prototype) {
    return isObject(prototype) && "constructor" in prototype;
  }
  function observeConstruction(holder, name, observe2) {
    const original = holder[name];
    if (!isCallable(original)) return nothing;
    const handler = {
      construct: (target, args, newTarget) => {
        deeds.soFar++;
        const instance = construct(target, args, newTarget);
        look(() => observe2(instance));
        return instance;
      }
    };
    const proxy = new Proxy(original, bare(handler));
    const prototype = get(original, "prototype");
    return stopAll([
      replaceProperty(holder, name, proxy),
      hasConstructor(prototype) ? replaceProperty(prototype, "constructor", proxy) : nothing
    ]);
  }

  // packages/capture/src/serialize.ts
  var STRING_CHARS = 10240;
  var DEPTH = 10;
  var ARRAY_ITEMS = 100;
  var OBJECT_KEYS = 50;
  var TOTAL_COST = 2e5;
  var NODE_COST = 20;
  var TRUNCATED = "... [truncated]";
  var UNSERIALIZABLE = "[unserializable]";
  function serialize(value) {
    return serializeAll([value])[0];
  }
  function serializeAll(values) {
    const walk = { ancestors: /* @__PURE__ */ new Set(), room: TOTAL_COST };
    return values.slice(0, ARRAY_ITEMS).map((value) => visit(value, 0, walk));
  }
  function cut(text2, chars = STRING_CHARS) {
    return text2.length > chars ? text2.slice(0, chars) + TRUNCATED : text2;
  }
  function toText(value, plain = serialize(value)) {
    if (!isObject(plain)) return String(plain);
    return quietly(() => isErrorLike(value)) ? `${String(get(plain, "name"))}: ${String(get(plain, "message"))}` : stringify(plain);
  }
  function messageOf(error) {
    return textAt(error, "message") || cut(toText(error));
  }
  function textAt(holder, key) {
    const text2 = isObject(holder) ? quietly(() => get(holder, key)) : void 0;
    return isText(text2) ? cut(text2) : "";
  }
  function visit(value, depth, walk) {
    switch (typeof value) {
      case "string": {
        const text2 = cut(value);
        walk.room -= text2.length;
        return walk.room < 0 ? TRUNCATED : text2;
      }
      case "number":
        return Number.isFinite(value) ? value : String(value);
      case "bigint":
        return `${value}n`;
      case "symbol":
        return value.toString();
      case "function":
        return `[Function: ${nameOf(value)}]`;
      case "object":
        return value === null ? null : visitObject(value, depth, walk);
      default:
        return value;
    }
  }
  function visitObject(value, depth, walk) {
    if (walk.ancestors.has(value)) return "[Circular]";
    if (depth >= DEPTH) return "[max depth reached]";
    if ((walk.room -= NODE_COST) < 0) return TRUNCATED;
    walk.ancestors.add(value);
    try {
      return describe(value, depth, walk);
    } catch {
      return UNSERIALIZABLE;
    } finally {
      walk.ancestors.delete(value);
    }
  }
  function describe(value, depth, walk) {
    if (Array.isArray(value)) return visitItems(value, depth, walk);
    const prototype = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || prototype === null) return visitKeys(value, depth, walk);
    if (isErrorLike(value)) return describeError(value, depth, walk);
    const brand = brandOf(value);
    if (isNode(value, brand)) return `[${constructorOf(value)}: ${String(get(Node.prototype, "nodeName", value))}]`;
    switch (brand) {
      case "Date":
        return describeDate(value);
      case "RegExp":
      case "URL":
      case "URLSearchParams":
        return cut(String(value));
      case "Map":
        return { "[Map]": visitKeys(Object.fromEntries(first(value).map(describePair)), depth, walk) };
      case "Set":
        return { "[Set]": visitItems(first(value), depth, walk) };
      case "String":
      case "Number":
      case "Boolean":
        return visit(value.valueOf(), depth, walk);
      case "Window":
        return "[Window]";
    }
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${brand}: ${value.byteLength} bytes]`;
    if (value instanceof Blob) return `[${brand}: ${value.size} bytes]`;
    const shown = visitKeys(value, depth, walk);
    return brand === "Object" || Object.keys(shown)[0] ? shown : `[${brand}]`;
  }
  function visitItems(items, depth, walk) {
    const shown = [];
    for (let index = 0; index < items.length && index < ARRAY_ITEMS; index++) {
      shown.push(visitMember(items, index, depth, walk));
    }
    return shown;
  }
  function visitKeys(value, depth, walk) {
    const shown = {};
    let count = 0;
    for (const key of Object.keys(value)) {
      if (++count > OBJECT_KEYS) break;
      walk.room -= key.length;
      const member = visitMember(value, key, depth, walk);
      if (key === "__proto__") Object.defineProperty(shown, key, bare({ value: member, enumerable: true }));
      else shown[cut(key)] = member;
    }
    return shown;
  }
  function visitMember(holder, key, depth, walk) {
    try {
      return visit(get(holder, key), depth + 1, walk);
    } catch {
      return UNSERIALIZABLE;
    }
  }
  function describeDate(date) {
    const time = Date.prototype.getTime.call(date);
    return Number.isNaN(time) ? "Invalid Date" : new Date(time).toISOString();
  }
  function describePair(pair) {
    return Array.isArray(pair) ? [toText(pair[0]), pair[1]] : ["", pair];
  }
  function describeError(error, depth, walk) {
    const told = {};
    for (const key of ["name", "message", "stack"]) told[key] = visitMember(error, key, depth, walk);
    const cause = visitMember(error, "cause", depth, walk);
    if (cause !== void 0) told["cause"] = cause;
    return told;
  }
  function isErrorLike(value) {
    return value instanceof Error || brandOf(value) === "Error";
  }
  function isNode(value, brand) {
    return value instanceof Node || /^(HTML|SVG).*Element$|^(Text|Comment)$|Document/.test(brand);
  }
  function brandOf(value) {
    return Object.prototype.toString.call(value).slice(8, -1);
  }
  function first(items) {
    const shown = [];
    if (!isIterable(items)) return shown;
    for (const item of items) {
      if (shown.length >= ARRAY_ITEMS) break;
      shown.push(item);
    }
    return shown;
  }
  function constructorOf(value) {
    const made = quietly(() => value.constructor);
    return isCallable(made) ? nameOf(made) : brandOf(value);
  }
  function nameOf(value) {
    const name = quietly(() => get(value, "name"));
    return isText(name) && name !== "" ? name : "anonymous";
  }

  // packages/capture/src/format.ts
  var SPECIFIER = /%[sdifoOc%]/g;
  function formatMessage(args, plain) {
    const [template] = plain;
    const text2 = (index) => toText(args[index], plain[index]);
    let used = 0;
    let message = "";
    if (isText(args[0]) && isText(template) && plain.length > 1 && template.includes("%")) {
      message = template.replace(SPECIFIER, (specifier) => {
        if (specifier === "%%") return "%";
        if (used + 1 >= plain.length) return specifier;
        return fill(specifier, args[++used], text2(used));
      });
      used++;
    }
    for (let index = used; index < plain.length; index++) message += (index > 0 ? " " : "") + text2(index);
    return message;
  }
  function fill(specifier, value, text2) {
    switch (specifier) {
      case "%c":
        return "";
      case "%d":
      case "%i":
        return typeof value === "bigint" ? text2 : String(Number.parseInt(text2, 10));
      case "%f":
        return String(Number.parseFloat(text2));
      default:
        return text2;
    }
  }

  // packages/capture/src/logEntry.ts
  function logEntry(fields) {
    const ts = isoTime(epochNow());
    return { ts, timestamp: ts, level: "error", source: fields.type ?? "", url: pageUrl(), ...fields };
  }

  // packages/capture/src/console.ts
  var LEVELS = ["log", "warn", "error", "info", "debug"];
  function captureConsole(emit) {
    const write = (level, args, extra) => {
      const plain = serializeAll(args);
      emit(logEntry({ level, type: "console", message: cut(formatMessage(args, plain)), args: plain, ...extra }));
    };
    return stopAll([
      ...LEVELS.map((level) => observeCalls(console, level, (args) => write(level, args))),
      observeCalls(console, "trace", (args) => write("log", args, { method: "trace", stack: callerStack() })),
      observeCalls(console, "assert", ([condition, ...args]) => {
        if (condition) return;
        const [first2, ...rest] = args;
        const said = isText(first2) ? [`Assertion failed: ${first2}`, ...rest] : ["Assertion failed", ...args];
        write("error", said, { method: "assert", stack: callerStack() });
      })
    ]);
  }
  var PROXY_FRAME = "Object.apply ";
  function callerStack() {
    const lines = String(new Error("").stack).split("\n");
    const own = lines.findLastIndex((line) => line.includes(PROXY_FRAME));
    return ["Trace", ...lines.slice(own + 1)].join("\n");
  }

  // packages/capture/src/lazy.ts
  function onFirstUse(make) {
    let made;
    return () => made ??= make();
  }

  // packages/capture/src/rules.ts
  var NAME_RULES = "password=pass~%word|wd|phrase|code)|pwd|%user|db|smtp|ftp|auth|login)~pass private-key=private~key%~pem)? api-key=api~%key|secret|token)|%auth|account|master|encryption|signing|subscription|service~role)~key *one-time-code=%%sms|email|user|login|mfa|phone|new)~)?t?otp%~%code|token|secret))?|%mfa|2fa|tfa|two~factor|verification|one~time|sms|backup|recovery)~code secret=secret%~%access~)?key|~token)? csrf-token=%csrf|xsrf)~%middleware)?~token|authenticity~token|request~verification~token token=%access|refresh|id|auth|authentication|authorization|session|bearer|security|user|login|reset|remember%~me)?|verification|oauth|jwt|device|push|bot)~token session-id=session~%id|key)|sess~id authorization=authorization *pin=%%user|card|account|new|old|current|confirm|login|security|atm|debit|sim)~)?pin%~number)? card-security-code=cvv|cvc|card~%security~)?code card-number=card~%number|num|no) *card-number=cc~%number|num) *ssn=%%user|customer|patient|employee|applicant|tax)~)?ssn|social~security%~%number|no))? signature=x-%amz|goog)-%signature|credential)";
  var NAME_TAIL = "%~%confirm%ation|ed)?|repeat%ed)?|again|new|old|current|value|hash%ed)?|digest|plain%text)?|raw|encrypted|base64|[0-9]{1,2}))*";
  var HEADER_NAMES = "%set~)?cookie|token|jwt|bearer|csrf|xsrf|access~key|api-?key|x-auth|x-auth-key|x-functions-key|cookie2?|x-session";
  var SENSITIVE_INPUT_TYPES = "password|credit-card|cc-.*";
  var SENSITIVE_INPUT_WORDS = "password|passwd|secret|token|credit|card|cvv|cvc|ssn|cc-";
  var TELLING_WORDS = "pass pwd key otp code secret token pin cvv cvc sessid sess_id sess-id sessionid session_id session-id -sess authoriz -auth card ccn cc_n cc-n ssn social -sign -cred cookie jwt bearer basic srf";

  // packages/capture/src/redact.ts
  var INPUT_MARK = "[redacted]";
  var SHORTEST_SHOWN = 24;
  var FULLY_HIDDEN = /^(password|pin|one-time-code|card|ssn)/;
  function pattern(source) {
    return new RegExp(source.replaceAll("~", "[_-]?").replaceAll("%", "(?:"));
  }
  function has(text2, rule) {
    return rule.test(text2.toLowerCase());
  }
  var nameRules = onFirstUse(
    () => NAME_RULES.split(" ").map((line) => {
      const [, star, kind = "", rule] = /(\*?)(.*)=(.*)/.exec(line) ?? [];
      return { kind, ending: onFirstUse(() => pattern(`${star && "^"}(?:${rule})$`)) };
    })
  );
  var nameTail = onFirstUse(() => pattern(`${NAME_TAIL}$`));
  var QUOTED = /(?<![\w$.-])([\w$.-]+)(\\*["'])(\s*:\s*)/g;
  var QUOTED_VALUE = /["']((?:[^"'\\]|\\.)*)|\\+["']([^"'\\]*)|(-?\d[\d.e+-]*|true|false)/iy;
  var PLAIN = /(?<![\w$.-]|redacted:)([\w$.-]+)()(\s?[:=]\s?)/g;
  var PLAIN_VALUE = /([^\s&#;,"'<>\\[{(]{3,})/y;
  var headerNames = onFirstUse(() => pattern(`(?:${HEADER_NAMES})$`));
  var inputTypes = onFirstUse(() => pattern(`^(?:${SENSITIVE_INPUT_TYPES})$`));
  var inputWords = onFirstUse(() => pattern(SENSITIVE_INPUT_WORDS));
  var BEARER = /\b((?:bearer|basic)\s+)([\w.~+/=-]{16,})/gi;
  var tellingWords = onFirstUse(() => TELLING_WORDS.split(" "));
  function maySaySecret(text2) {
    const small = text2.toLowerCase();
    return tellingWords().some((word) => small.includes(word));
  }
  function isSecretName(name) {
    return maySaySecret(name) && (has(name, headerNames()) || kindOf(name) !== void 0);
  }
  function kindOf(name) {
    return nameRules().find(({ ending }) => has(name, ending()))?.kind;
  }
  function redactText(text2) {
    if (text2.length < 8 || !maySaySecret(text2)) return text2;
    const redacted = redactPairs(redactPairs(text2, QUOTED, QUOTED_VALUE), PLAIN, PLAIN_VALUE);
    return redacted.replace(BEARER, (_, scheme, value) => scheme + mark(/^be/i.test(scheme) ? "bearer-token" : "basic-credentials", value));
  }
  function redactPairs(text2, names, values) {
    let redacted = "";
    let end = 0;
    for (const { 0: named, 1: name = "", 2: quote2 = "", index } of text2.matchAll(names)) {
      const start2 = index + named.length;
      if (index < end || !maySaySecret(name)) continue;
      const kind = kindOf(name.toLowerCase().replace(nameTail(), ""));
      values.lastIndex = start2;
      const [value = "", quoted, inner, literal] = kind && values.exec(text2) || [];
      const secret = quoted ?? inner ?? literal ?? "";
      if (!kind || /^(\[redacted.*|\**|null|undefined)$/is.test(secret)) continue;
      redacted += text2.slice(end, start2);
      end = start2 + value.length;
      redacted += literal ? `${quote2}[redacted:${kind}:${/^[tf]/i.test(literal) ? "boolean" : "number"}]${quote2}` : value.slice(0, value.length - secret.length) + mark(kind, secret);
    }
    return redacted + text2.slice(end);
  }
  function isSensitiveInput(element) {
    const says = (attribute) => element.getAttribute(attribute) ?? "";
    return has(says("type"), inputTypes()) || ["autocomplete", "name", "id", "data-testid"].some((attribute) => has(says(attribute), inputWords()));
  }
  function mark(kind, value) {
    const hidden = value.length < SHORTEST_SHOWN || FULLY_HIDDEN.test(kind);
    return `[redacted:${kind}:${hidden ? "***" : `${harmless(value.slice(0, 6))}...${harmless(value.slice(-3))}`}]`;
  }
  function harmless(text2) {
    return text2.replace(/[^\w.+-]/g, "*");
  }

  // packages/capture/src/dialogs.ts
  var TEXT_CHARS = 100;
  var DIALOGS = ["alert", "confirm", "prompt"];
  function captureDialogs(tell) {
    return stopAll(
      DIALOGS.map(
        (name) => patchMethod(window, name, (proceed, [message]) => {
          const answer = proceed();
          quietly(() => tell({ text: redactText(String(message ?? "").slice(0, TEXT_CHARS)), value: answer === false || answer === null ? "dismiss" : "accept", inputType: name }));
          return answer;
        })
      )
    );
  }

  // packages/capture/src/errorEntry.ts
  var REPEAT_MS = 5e3;
  var AT_ONCE = 20;
  function makeNovelty() {
    const told = /* @__PURE__ */ new Map();
    return ({ message, stack }) => {
      const at2 = now();
      for (const [signature2, before] of told) if (at2 - before > REPEAT_MS) told.delete(signature2);
      const signature = `${message}
${stack}`;
      if (told.has(signature) || told.size >= AT_ONCE) return false;
      told.set(signature, at2);
      return true;
    };
  }
  function nameError(entry) {
    return { ...entry, _errorId: `err_${epochNow()}_${randomWord()}` };
  }
  function isOfCode({ type }) {
    return type === "exception" || type === "console";
  }
  function addContext(entry, context) {
    if (Object.keys(context).length === 0) return entry;
    return { ...entry, _aiContext: context, _enrichments: [.../* @__PURE__ */ new Set([...entry._enrichments ?? [], "aiContext"])] };
  }

  // packages/capture/src/network.ts
  var REQUEST_BODY_BYTES = 8192;
  var RESPONSE_BODY_BYTES = 16384;
  var FAILURE = 400;
  var SERVER_FAILURE = 500;
  var SUSPICIOUS_MS = 1e3;
  var BINARY = /^(image|audio|video|font)\/|octet-stream|wasm|zip|pdf|protobuf/i;
  var AUTH_HEADERS = /^((proxy-)?authorization|x-api-key|x-auth-token|cookie)$/i;
  var askedFor = /* @__PURE__ */ new Set();
  var NO_BODY = { text: null };
  function seeRequest(sink, method, address, headers, body) {
    const url = absolute(address);
    if (sink.isOwn(url)) return void 0;
    const told = onFirstUse(() => describeRequest(url, headers, body));
    if (sink.wantsSuccesses()) later(() => quietly(told), 0);
    return { method: method.toUpperCase(), url, startedAt: now(), startedEpoch: epochNow(), pageUrl: pageUrl(), told };
  }
  function durationOf(request) {
    return Math.round((now() - request.startedAt) * 10) / 10;
  }
  function reportResponse(sink, request, response) {
    reportExchange(sink, request, response);
    reportStatus(sink, request, response);
  }
  function reportExchange(sink, request, response) {
    if (response.status >= FAILURE || sink.wantsSuccesses()) sink.exchange(() => describe2(request, response));
  }
  function reportStatus(sink, request, { status, statusText, durationMs: duration }) {
    const level = status >= SERVER_FAILURE ? "error" : "warn";
    if (status >= FAILURE) sink.log(describeFailure(request, String(status), { level, status, statusText, duration, metadata: { status, duration } }));
  }
  function reportFailure(sink, request, error, givenUp) {
    const exchange = describeUnanswered(request);
    const { duration } = exchange;
    if (!givenUp) sink.exchange(() => ({ ...exchange, error }));
    else if (sink.wantsSuccesses()) sink.exchange(() => exchange);
    const level = givenUp ? "info" : "error";
    sink.log(describeFailure(request, `Network Error: ${error}`, { level, error, duration, metadata: { error, duration } }));
  }
  function reportUnanswered(sink) {
    for (const request of sink.waiting.values()) {
      const waitedMs = durationOf(request);
      if (waitedMs < (request.toldFromMs ?? (sink.wantsSuccesses() ? 0 : SUSPICIOUS_MS))) continue;
      request.toldFromMs = 2 * waitedMs;
      const exchange = describeUnanswered(request);
      sink.exchange(() => ({ ...exchange, pending: true }));
    }
  }
  function describeUnanswered(request) {
    return describe2(request, { status: 0, contentType: "", headers: [], body: NO_BODY, durationMs: durationOf(request) });
  }
  function describeFailure({ method, url: address, pageUrl: pageUrl2 }, outcome, fields) {
    const url = redactText(address);
    return logEntry({ type: "network", url, pageUrl: pageUrl2, method, message: `${method} ${url} → ${outcome}`, ...fields });
  }
  function standInFor(contentType, bytes) {
    return BINARY.test(contentType) ? describeBinary(contentType, bytes) : null;
  }
  function describeBinary(contentType, bytes) {
    return `[Binary: ${bytes === null ? "unknown size" : `${bytes} bytes`}, ${contentType.split(";", 1)[0] || "unknown type"}]`;
  }
  function describeRequestBody(body) {
    if (body === void 0 || body === null) return NO_BODY;
    if (isText(body) || body instanceof URLSearchParams) return cutBody(String(body), REQUEST_BODY_BYTES);
    return { text: "[non-string body]" };
  }
  function cutBody(text2, bytes) {
    if (3 * text2.length <= bytes) return { text: text2 };
    const { read: read2 } = new TextEncoder().encodeInto(text2, new Uint8Array(bytes));
    return read2 < text2.length ? { text: text2.slice(0, read2), isCut: true } : { text: text2 };
  }
  function hideSecrets(pairs) {
    return pairs.map(([name, value]) => [name, isSecretName(name) ? "[REDACTED]" : redactText(value)]);
  }
  function hasAuthHeader(headers) {
    return [...headers].some(([name]) => AUTH_HEADERS.test(name));
  }
  function hider(...all) {
    const mayHide = maySaySecret(String(all));
    return {
      text: (text2) => mayHide && text2 ? redactText(text2) : text2,
      list: (pairs) => Object.fromEntries(mayHide ? hideSecrets(pairs) : pairs)
    };
  }
  function describeRequest(url, headers, { text: text2, isCut }) {
    const sent = [...headers];
    const shown = hider(url, text2, sent);
    return {
      url: shown.text(url) ?? url,
      requestBody: shown.text(text2),
      requestTruncated: isCut,
      requestHeaders: shown.list(sent),
      hasAuthHeader: hasAuthHeader(sent)
    };
  }
  function describe2({ method, pageUrl: pageUrl2, startedEpoch, told }, { status, contentType, headers, body, durationMs }) {
    const ts = isoTime(startedEpoch);
    const received = [...headers];
    const shown = hider(body.text, received);
    return {
      ts,
      timestamp: ts,
      pageUrl: pageUrl2,
      method,
      ...told(),
      status,
      contentType,
      responseBody: shown.text(body.text),
      responseTruncated: body.isCut,
      responseHeaders: shown.list(received),
      duration: durationMs
    };
  }
  function absolute(url) {
    try {
      return new URL(url, document.baseURI).href;
    } catch {
      return url;
    }
  }

  // packages/capture/src/errors.ts
  function captureErrors(emit, isOwn) {
    return stopAll([
      listen("error", (event) => {
        if (event instanceof ErrorEvent) emit(describeException(event));
        else if (isElement(event.target)) emit(describeMissingResource(event.target));
      }),
      listen("unhandledrejection", (event) => {
        if ("reason" in event) emit(describeRejection(event.reason));
      }),
      listen("securitypolicyviolation", (event) => {
        if (isViolation(event) && !isOwn(event.blockedURI)) emit(describeBlocked(event));
      })
    ]);
  }
  function isViolation(event) {
    return "blockedURI" in event;
  }
  function describeException({ message, error, filename, lineno, colno }) {
    return logEntry({
      type: "exception",
      message: cut(message || "Unknown error"),
      args: [serialize(error)],
      stack: textAt(error, "stack"),
      filename,
      lineno,
      colno
    });
  }
  function describeRejection(reason) {
    return logEntry({
      type: "exception",
      source: "unhandledrejection",
      message: messageOf(reason ?? "") || "Unhandled Promise rejection",
      args: [serialize(reason)],
      stack: textAt(reason, "stack")
    });
  }
  function describeMissingResource(element) {
    const address = textAt(element, "currentSrc") || attributeOf(element, "src") || attributeOf(element, "href") || attributeOf(element, "data");
    const tag = element.localName;
    const filename = address ? redactText(absolute(address)) : "";
    return logEntry({ type: "resource", message: `Failed to load <${tag}>: ${filename}`, filename, metadata: { tag, resource: filename } });
  }
  function describeBlocked({ effectiveDirective: directive, blockedURI, disposition, sourceFile, lineNumber, columnNumber }) {
    const blocked = redactText(blockedURI);
    return logEntry({
      level: disposition === "report" ? "warn" : "error",
      type: "csp",
      message: `Blocked by Content Security Policy (${directive}): ${blocked || "inline"}`,
      filename: sourceFile ?? "",
      lineno: lineNumber,
      colno: columnNumber,
      metadata: { directive, blocked, disposition }
    });
  }

  // packages/capture/src/eventsource.ts
  var FIRST_EVENTS_MS = 1e3;
  function captureEventSource(sink) {
    return observeConstruction(window, "EventSource", (source) => {
      if (!(source instanceof EventSource)) return;
      const request = seeRequest(sink, "GET", source.url, [["accept", "text/event-stream"]], { text: null });
      if (!request) return;
      let known = false;
      on(source, "open", () => {
        if (!known && sink.wantsSuccesses()) void quietlyLater(() => reportFirstEvents(sink, request, source));
        known = true;
      });
      on(source, "error", () => {
        if (!known) reportFailure(sink, request, "event stream refused", false);
        known = true;
      });
    });
  }
  async function reportFirstEvents(sink, request, source) {
    const durationMs = durationOf(request);
    let events = "";
    const stop = on(source, "message", (event) => {
      if (events.length <= RESPONSE_BODY_BYTES) events += `data: ${String(get(event, "data"))}

`;
    });
    await pause(FIRST_EVENTS_MS);
    stop();
    const body = { ...cutBody(events, RESPONSE_BODY_BYTES), isCut: true };
    reportExchange(sink, request, { status: 200, contentType: "text/event-stream", headers: [], body, durationMs });
  }

  // packages/capture/src/body.ts
  var PATIENCE_MS = 1e3;
  async function readBeginning(stream, bytes = RESPONSE_BODY_BYTES, patienceMs = PATIENCE_MS) {
    const reader = stream.getReader();
    const chunks = [];
    let room = bytes;
    let isCut = false;
    const giveUp = () => {
      isCut = true;
      void quietlyLater(() => reader.cancel());
    };
    const timer = later(giveUp, patienceMs);
    try {
      while (!isCut) {
        const { done, value } = await reader.read();
        if (done) break;
        chunks.push(value.subarray(0, room));
        room -= value.byteLength;
        if (room < 0) giveUp();
      }
    } catch {
      isCut = true;
    }
    cancelLater(timer);
    const text2 = decode(chunks, isCut);
    return isCut ? { text: text2, isCut } : { text: text2 };
  }
  var decoder = onFirstUse(() => new TextDecoder());
  function decode(chunks, isCut) {
    let text2 = "";
    for (const chunk of chunks) text2 += decoder().decode(chunk, { stream: true });
    const rest = decoder().decode();
    return isCut ? text2 : text2 + rest;
  }

  // packages/capture/src/fetch.ts
  function captureFetch(sink) {
    return patchMethod(window, "fetch", (proceed, args) => {
      const request = look(() => describeRequest2(sink, args));
      const answer = proceed();
      return request && isObject(answer) ? follow(sink, request, answer) : answer;
    });
  }
  async function follow(sink, request, answer) {
    let response;
    sink.waiting.set(answer, request);
    try {
      response = await answer;
    } catch (error) {
      quietly(() => reportFailure(sink, request, messageOf(error), isObject(error) && get(error, "name") === "AbortError"));
      throw error;
    } finally {
      sink.waiting.delete(answer);
    }
    quietly(() => seeResponse(sink, request, response));
    return response;
  }
  function describeRequest2(sink, [input, init]) {
    const options = isObject(init) ? init : {};
    const original = isRequest(input) ? input : void 0;
    const method = get(options, "method") ?? original?.method ?? "GET";
    const headers = get(options, "headers") ?? original?.headers;
    const body = quietly(() => describeRequestBody(get(options, "body") ?? original?.body)) ?? { text: "[unreadable]" };
    return seeRequest(sink, String(method), original?.url ?? String(input), headerPairs(headers), body);
  }
  function isRequest(value) {
    return brandOf(value) === "Request";
  }
  function seeResponse(sink, request, response) {
    if (!(response instanceof Response)) return;
    const { status, statusText, headers } = response;
    if (status < FAILURE && !sink.wantsSuccesses()) return;
    const contentType = headers.get("content-type") ?? "";
    const seen = { status, statusText, contentType, headers, durationMs: durationOf(request) };
    const text2 = standInFor(contentType, headers.get("content-length"));
    const unread = text2 !== null || contentType.includes("event-stream") || response.body === null;
    reportStatus(sink, request, seen);
    if (unread) reportExchange(sink, request, { ...seen, body: { text: text2 } });
    else {
      const copy = response.clone();
      sink.expect(quietlyLater(() => reportCopy(sink, request, seen, copy)));
    }
  }
  async function reportCopy(sink, request, seen, copy) {
    await pause(0);
    const body = copy.body ? await readBeginning(copy.body) : NO_BODY;
    reportExchange(sink, request, { ...seen, body });
  }
  function headerPairs(headers) {
    if (!isObject(headers)) return [];
    const pairs = isLasting(headers) ? [...headers] : Object.entries(headers);
    return pairs.flatMap((pair) => Array.isArray(pair) ? [[String(pair[0]), String(pair[1])]] : []);
  }
  function isLasting(headers) {
    return /^(Array|Headers|Map)$/.test(brandOf(headers));
  }

  // packages/capture/src/navigation.ts
  function captureNavigation(changed) {
    let current = pageUrl();
    const compare = () => {
      const previous = current;
      current = pageUrl();
      if (current !== previous) changed(previous, current);
    };
    const around = (proceed) => {
      const result = proceed();
      quietly(compare);
      return result;
    };
    return stopAll([
      patchMethod(History.prototype, "pushState", around),
      patchMethod(History.prototype, "replaceState", around),
      listen("popstate", compare),
      listen("hashchange", compare)
    ]);
  }

  // packages/capture/src/pageApi.ts
  var KEYS = 50;
  var KEY_CHARS = 100;
  var VALUE_CHARS = 4096;
  var ACTIONS = 50;
  var ACTIONS_IN_ENTRY = 5;
  function makeMemory(actionLimit = () => ACTIONS) {
    const annotations = /* @__PURE__ */ new Map();
    let actions = [];
    const context = () => annotations.size > 0 ? Object.fromEntries(annotations) : null;
    const annotate = (key, value) => {
      if (!isText(key) || key.length < 1 || key.length > KEY_CHARS) return false;
      if (!annotations.has(key) && annotations.size >= KEYS) return false;
      const plain = serialize(value);
      const fits = (stringify(plain) ?? "").length <= VALUE_CHARS;
      annotations.set(key, fits ? plain : "[Value too large]");
      return fits;
    };
    return {
      actionsEnabled: true,
      asked: {
        annotate: (key, value) => quietly(() => annotate(key, value)) ?? false,
        removeAnnotation: (key) => annotations.delete(key),
        clearAnnotations: () => annotations.clear(),
        getContext: context,
        getActions: () => actions.slice(-actionLimit()),
        clearActions: () => void (actions = [])
      },
      note(action) {
        actions.push(action);
        if (actions.length > actionLimit()) actions.shift();
      },
      enrich(entry) {
        const told = context();
        const done = actions.slice(-ACTIONS_IN_ENTRY).map(({ ts, type, target, text: text2, position }) => ({ ts, type, target, text: text2, ...position }));
        const enrichments = [told && "context", done[0] && "userActions"].filter(isText);
        return enrichments[0] ? { ...entry, _enrichments: enrichments, _context: told ?? void 0, _actions: done[0] && done } : entry;
      }
    };
  }
  function makePageApi({ version, memory, aiContext: aiContext2, withCompanion, enrichError, record, flush, stop }) {
    let waterfall = true;
    let marks = true;
    const { asked } = memory;
    const ask = (use, otherwise) => {
      let answer = otherwise;
      quietly(() => withCompanion((companion2) => answer = use(companion2)));
      return answer;
    };
    const listOf = (type) => ({ limit: limit2 = 50 } = {}) => marks ? timeline(type, limit2).map(describeMark) : [];
    return {
      version,
      ...asked,
      setActionCapture: (enabled) => void (memory.actionsEnabled = enabled),
      getEnhancedActions: asked.getActions,
      clearEnhancedActions: asked.clearActions,
      recordAction: (type, element, options) => ask(({ newAction: newAction2, pointAt: pointAt2 }) => record({ ...newAction2(type), ...pointAt2(isElement(element) ? element : null), ...options }), void 0),
      generateScript: (actions = asked.getActions(), options) => ask((by) => by.writeScript(actions, options), ""),
      getSelectors: (element) => isElement(element) ? ask((by) => by.selectorsOf(element), null) : null,
      setNetworkWaterfall: (enabled) => void (waterfall = enabled),
      getNetworkWaterfall: ({ since = 0, limit: limit2 = 100 } = {}) => waterfall ? timeline("resource", limit2, since).map(describeResource) : [],
      setPerformanceMarks: (enabled) => void (marks = enabled),
      getMarks: listOf("mark"),
      getMeasures: listOf("measure"),
      enrichError,
      setAiContext: (enabled) => void (aiContext2.enabled = enabled),
      setStateSnapshot: (enabled) => void (aiContext2.stateSnapshot = enabled),
      getDomSnapshot: () => ask((by) => by.takeSnapshot(), null),
      flush,
      stop
    };
  }
  function timeline(type, limit2, since = 0) {
    const entries = quietly(() => entriesOf(type)) ?? [];
    return entries.filter((entry) => entry.startTime >= since).slice(-limit2);
  }
  function describeResource(entry) {
    const { startTime, duration } = entry;
    return { url: redactText(entry.name), initiatorType: get(entry, "initiatorType"), startTime, duration, transferSize: get(entry, "transferSize") };
  }
  function describeMark({ name, startTime, duration }) {
    return { name, startTime, duration };
  }

  // packages/capture/src/sender.ts
  var FLUSH_MS = 100;
  var BATCH_ITEMS = 50;
  var BATCH_CHARS = 16e3;
  var QUEUE_ITEMS = 1e4;
  var QUEUE_BYTES = 3e6;
  var RETRY_MS = [100, 500, 2e3, 2e3];
  var BREAKER_PAUSE_MS = 3e4;
  function makeSender(transport, testId) {
    const id = onFirstUse(() => randomId("page"));
    const queues = /* @__PURE__ */ new Map();
    let dropped = 0;
    let queuedItems = 0;
    let queuedBytes = 0;
    const { atOnce = 1, pauseMs = FLUSH_MS } = transport;
    const outbox = /* @__PURE__ */ new Set();
    let lastNumber = 0;
    let timer;
    let isUrgent = false;
    let delivering;
    let failures = 0;
    let stopped = false;
    let held = [];
    const deliver = async () => {
      const current = delivering ??= deliverDue();
      await current;
      if (delivering === current) delivering = void 0;
    };
    const deliverDue = async () => {
      unset();
      isUrgent = false;
      let due = queuedItems;
      try {
        while (due > 0 || outbox.size > 0 || [...queues.values()].some((queue) => queue.length >= BATCH_ITEMS)) {
          const before = queuedItems;
          const batches = fillOutbox(atOnce).slice(0, atOnce);
          if (!batches[0]) break;
          due -= before - queuedItems;
          await transport.send(...batches);
          failures = 0;
          for (const batch of batches) outbox.delete(batch);
        }
      } catch {
        wakeIn(RETRY_MS[failures++] ?? BREAKER_PAUSE_MS);
      }
    };
    const fillOutbox = (count) => {
      for (const [stream, queue] of queues) while (queue[0] && outbox.size < count) outbox.add(numbered(stream, take(queue, countThatFit(queue))));
      return [...outbox];
    };
    const numbered = (stream, items) => {
      const envelope = stringify({ sender: id(), batch: ++lastNumber, dropped, test_id: testId() ?? void 0 });
      return { to: stream, body: `${envelope.slice(0, -1)},"${stream.list}":[${items.join(",")}]}` };
    };
    const makeRoom = () => {
      let longest = [];
      for (const queue of queues.values()) if (queue.length > longest.length) longest = queue;
      dropped += take(longest, longest.length >> 3 || 1).length;
    };
    const take = (queue, count) => {
      const items = queue.splice(0, count);
      queuedItems -= items.length;
      for (const item of items) queuedBytes -= item.length;
      return items;
    };
    const unset = () => {
      if (timer !== void 0) cancelLater(timer);
      timer = void 0;
    };
    const wakeIn = (ms) => {
      timer ??= later(() => {
        timer = void 0;
        void deliverNext();
      }, ms);
    };
    const deliverNext = async () => {
      const before = delivering;
      await before;
      if (!before || !failures) await deliver();
    };
    const leave = () => {
      const batches = fillOutbox(Infinity);
      if (!batches[0]) return;
      for (const batch of quietly(() => transport.sendLast(batches)) ?? []) outbox.delete(batch);
      void deliver();
    };
    return {
      add(stream, item) {
        if (stopped) return;
        const json = stringify(item);
        let queue = queues.get(stream);
        if (queue === void 0) queues.set(stream, queue = []);
        queue.push(json);
        queuedItems++;
        queuedBytes += json.length;
        if (queuedItems > QUEUE_ITEMS || queuedBytes > QUEUE_BYTES) makeRoom();
        if (failures > 0) return;
        if (!isUrgent && get(item, "level") === "error") {
          isUrgent = true;
          unset();
        }
        wakeIn(isUrgent ? FLUSH_MS : pauseMs);
        if (queue.length >= BATCH_ITEMS) void deliver();
      },
      addLarge(stream, item) {
        if (stopped) return;
        outbox.add(numbered(stream, [stringify(item)]));
        void deliver();
      },
      amend(stream, part, change) {
        const queue = queues.get(stream) ?? [];
        const index = queue.findIndex((json) => json.includes(part));
        const before = queue[index];
        if (before === void 0) return false;
        const after = stringify(change(parse(before)));
        queue[index] = after;
        queuedBytes += after.length - before.length;
        return true;
      },
      async flush(nth) {
        await delivering;
        if (nth && transport.write) {
          held = [...nth > 1 ? held : [], ...fillOutbox(Infinity)];
          outbox.clear();
          return transport.write(...held);
        }
        await deliver();
      },
      leave,
      undo() {
        leave();
        stopped = true;
      }
    };
  }
  function countThatFit(queue) {
    let chars = 0;
    let count = 0;
    for (const item of queue) {
      chars += item.length;
      if (count > 0 && (count >= BATCH_ITEMS || chars > BATCH_CHARS)) break;
      count++;
    }
    return count;
  }

  // packages/capture/src/streams.ts
  var LOGS = { address: "/logs", list: "entries" };
  var WEBSOCKET_EVENTS = { address: "/websocket-events", list: "events" };
  var NETWORK_BODIES = { address: "/network-bodies", list: "bodies" };
  var ENHANCED_ACTIONS = { address: "/enhanced-actions", list: "actions" };
  var PERFORMANCE_SNAPSHOTS = { address: "/performance-snapshots", list: "snapshots" };
  var DOM_SNAPSHOTS = { address: "/dom-snapshots", list: "snapshots" };
  var STREAM_OF = {
    log: LOGS,
    socket: WEBSOCKET_EVENTS,
    network: NETWORK_BODIES,
    action: ENHANCED_ACTIONS,
    load: PERFORMANCE_SNAPSHOTS,
    dom: DOM_SNAPSHOTS
  };

  // packages/capture/src/websocket.ts
  var DATA_CHARS = 10240;
  var HEX_PREVIEW_BYTES = 256;
  var MAGIC_BYTES = 4;
  var ALWAYS_FIRST = 5;
  var WINDOW_MS = 5e3;
  var SECOND_MS = 1e3;
  var STEPS = [
    { from: 200, keep: 2 },
    { from: 50, keep: 5 },
    { from: 10, keep: 10 }
  ];
  function captureWebSocket({ emit, isOwn, wantsMessages }) {
    const watched = /* @__PURE__ */ new WeakMap();
    return stopAll([
      observeConstruction(window, "WebSocket", (socket) => {
        if (socket instanceof WebSocket && !isOwn(socket.url)) watched.set(socket, watch(socket, emit, wantsMessages));
      }),
      observeCalls(WebSocket.prototype, "send", ([data], socket) => {
        if (socket instanceof WebSocket && socket.readyState === WebSocket.OPEN) watched.get(socket)?.("outgoing", data);
      })
    ]);
  }
  function watch(socket, emit, wantsMessages) {
    const id = randomId("ws");
    const url = redactText(socket.url);
    const tell = (event, fields) => emit({ type: "websocket", event, id, url, ts: isoTime(epochNow()), ...fields });
    const admit = { incoming: makeSampler(), outgoing: makeSampler() };
    const see = (direction, data) => {
      if (!wantsMessages()) return;
      const sampled = admit[direction](data);
      if (sampled !== false) tell("message", { direction, ...describeData(data), sampled: sampled ?? void 0 });
    };
    tell("connecting");
    on(socket, "open", () => tell("open"));
    on(socket, "message", (event) => see("incoming", get(event, "data")));
    on(socket, "error", () => tell("error"));
    on(socket, "close", (event) => event instanceof CloseEvent && tell("close", { code: event.code, reason: event.reason }));
    return see;
  }
  function makeSampler() {
    let seen = 0;
    let windowStart = -Infinity;
    let inWindow = 0;
    let rate = 0;
    let skipped = 0;
    let lastKept = 0;
    const shapes = /* @__PURE__ */ new Set();
    const measure = (at2) => {
      inWindow++;
      const elapsed = at2 - windowStart;
      rate = elapsed < SECOND_MS ? Math.max(rate, inWindow) : inWindow * SECOND_MS / elapsed;
      if (elapsed < WINDOW_MS) return;
      windowStart = at2;
      inWindow = 0;
    };
    const isNewShape = (data) => {
      if (!isText(data) || !data.startsWith("{") || shapes.size >= 20) return false;
      const shape = (data.slice(0, 200).match(/"[^"]{1,40}"\s*:/g) ?? []).join();
      const known = shapes.size;
      return shapes.add(shape).size > known;
    };
    return (data, at2 = now()) => {
      seen++;
      measure(at2);
      const keepPerSecond = STEPS.find((step) => rate >= step.from)?.keep;
      const isKept = seen <= ALWAYS_FIRST || keepPerSecond === void 0 || isNewShape(data) || at2 - lastKept >= SECOND_MS / keepPerSecond;
      if (!isKept) {
        skipped++;
        return false;
      }
      const sampled = { rate: `${rate.toFixed(1)}/s`, logged: `1/${skipped + 1}`, window: "5s", skipped };
      lastKept = at2;
      skipped = 0;
      return keepPerSecond === void 0 && sampled.skipped === 0 ? null : sampled;
    };
  }
  function describeData(data) {
    if (isText(data)) {
      const size = data.length;
      return { data: redactText(data.slice(0, DATA_CHARS)), size, truncated: size > DATA_CHARS || void 0 };
    }
    if (data instanceof Blob) return { data: `[Binary: ${data.size}B]`, size: data.size };
    if (data instanceof ArrayBuffer) return describeBytes(new Uint8Array(data));
    if (ArrayBuffer.isView(data)) return describeBytes(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    return { data: "[Binary]", size: 0 };
  }
  function describeBytes(bytes) {
    const size = bytes.byteLength;
    if (size < HEX_PREVIEW_BYTES) return { data: `[Binary: ${size}B] ${hex(bytes)}`, size };
    return { data: `[Binary: ${size}B, magic:${hex(bytes.subarray(0, MAGIC_BYTES))}]`, size };
  }
  function hex(bytes) {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  // packages/capture/src/xhr.ts
  var FAILURES = ["error", "timeout", "abort"];
  function captureXhr(sink) {
    const opened = /* @__PURE__ */ new WeakMap();
    const prototype = XMLHttpRequest.prototype;
    const end = (xhr, failure) => {
      const request = sink.waiting.get(xhr);
      if (!request) return;
      sink.waiting.delete(xhr);
      if (failure) reportFailure(sink, request, failure, failure === "abort");
      else reportResponse(sink, request, describeResponse(request, xhr));
    };
    const follow2 = (xhr) => {
      on(xhr, "readystatechange", () => xhr.readyState === XMLHttpRequest.DONE && xhr.status > 0 && end(xhr));
      for (const failure of FAILURES) on(xhr, failure, () => end(xhr, failure));
    };
    return stopAll([
      observeCalls(prototype, "open", ([method, url], xhr) => {
        if (!isXhr(xhr)) return;
        if (!opened.has(xhr)) follow2(xhr);
        opened.set(xhr, { method: String(method), url: String(url), headers: [] });
      }),
      observeCalls(prototype, "setRequestHeader", ([name, value], xhr) => {
        if (isXhr(xhr)) opened.get(xhr)?.headers.push([String(name), String(value)]);
      }),
      patchMethod(prototype, "send", (proceed, [body], xhr) => {
        look(() => {
          const known = isXhr(xhr) && xhr.readyState === XMLHttpRequest.OPENED && opened.get(xhr);
          const request = known && seeRequest(sink, known.method, known.url, known.headers, describeRequestBody(body));
          if (request) sink.waiting.set(xhr, request);
        });
        try {
          return proceed();
        } catch (error) {
          quietly(() => error instanceof DOMException && error.name !== "InvalidStateError" && isXhr(xhr) && end(xhr, error.message));
          throw error;
        }
      })
    ]);
  }
  function isXhr(value) {
    return value instanceof XMLHttpRequest;
  }
  function describeResponse(request, xhr) {
    const contentType = xhr.getResponseHeader("content-type") ?? "";
    return {
      status: xhr.status,
      statusText: xhr.statusText,
      contentType,
      headers: parseHeaders(xhr.getAllResponseHeaders()),
      body: readResponse(xhr, contentType),
      durationMs: durationOf(request)
    };
  }
  function readResponse(xhr, contentType) {
    const { responseType, response } = xhr;
    if (responseType === "" || responseType === "text") {
      const text2 = standInFor(contentType, xhr.getResponseHeader("content-length"));
      return text2 === null ? cutBody(xhr.responseText, RESPONSE_BODY_BYTES) : { text: text2 };
    }
    if (responseType === "json") return response === null ? NO_BODY : cutBody(encode(response, RESPONSE_BODY_BYTES), RESPONSE_BODY_BYTES);
    const bytes = response instanceof ArrayBuffer ? response.byteLength : response instanceof Blob ? response.size : null;
    return bytes === null ? NO_BODY : { text: describeBinary(contentType, bytes) };
  }
  function parseHeaders(block) {
    return block.split("\r\n").filter((line) => line !== "").map((line) => {
      const [name = "", ...value] = line.split(": ");
      return [name, value.join(": ")];
    });
  }

  // packages/capture/src/capture.ts
  var POPUP_TAB = -1;
  var GREETING_MS = 100;
  var DESCRIBED_MS = 50;
  var USES = 999;
  var LAST_WORDS = 100;
  var LAST_WORDS_CLOSING = 20;
  var CLOSING_MS = 100;
  function startCapture(options) {
    const { version, transport, webSocketMessages = () => true, aiContext: aiContext2, gate = passAll } = options;
    const { leavesEarly } = transport;
    const isPopup = Boolean(opener);
    const placed = (item) => isPopup ? { tabId: POPUP_TAB, ...item } : item;
    const sender = onFirstUse(() => {
      const made = makeSender(transport, options.testId);
      const greeting = options.greeting?.();
      if (greeting) made.add(LOGS, placed(greeting));
      return made;
    });
    if (options.greeting) later(() => quietly(sender), GREETING_MS);
    const memory = onFirstUse(() => makeMemory(options.actionLimit));
    let lastWords = 0;
    const emit = (kind, payload) => void quietly(() => {
      wake();
      gate(kind, payload, (passed) => {
        sender().add(STREAM_OF[kind], placed(passed));
        if (lastWords-- > 0) sender().leave();
      });
    });
    const record = (action) => {
      memory().note(action);
      emit("action", action);
    };
    const act = (action) => {
      if (memory().actionsEnabled) record(action);
    };
    const reports = /* @__PURE__ */ new Set();
    const expect = async (report) => {
      reports.add(report);
      await report;
      reports.delete(report);
    };
    const isOwn = (url) => askedFor.has(url) || options.isOwn(url);
    const told = (entry) => entry.level === "error" ? memory().enrich(entry) : entry;
    const log = (entry) => emit("log", told(entry));
    const isNews = makeNovelty();
    const fail = (bare2) => {
      if (!aiContext2.enabled) return log(bare2);
      const error = nameError(told(bare2));
      const wanted = isOfCode(error) && isNews(error);
      const explain = (by) => by.enrichNow(error, wanted ? aiContext2 : { ...aiContext2, componentTree: false });
      const present = companion2;
      const entry = present ? explain(present) : error;
      emit("log", entry);
      withCompanion((by) => {
        if (!present) Object.assign(error, explain(by));
        if (wanted && aiContext2.stateSnapshot) void expect(quietlyLater(async () => follow2(entry, await by.enrichLater(entry, aiContext2))));
        if (wanted && aiContext2.sourceSnippets) for (const url of by.scriptsOf(entry.stack ?? "")) void expect(upload(by, url));
      });
    };
    const follow2 = ({ _errorId }, context) => {
      if (!context.stateSnapshot || !_errorId) return;
      const more = { type: "gasoline-enrichment", _errorId, _aiContext: context };
      gate("log", more, (passed) => sender().amend(LOGS, `"_errorId":"${_errorId}"`, (entry) => addContext(entry, context)) || sender().add(LOGS, passed));
    };
    const upload = async (by, url) => {
      for (const source of await by.readSource(url)) gate("log", source, (passed) => sender().addLarge(LOGS, passed));
    };
    const enrichError = async (entry) => {
      const known = told(entry);
      if (!aiContext2.enabled || !companion2) return known;
      const enriched = companion2.enrichNow(known, aiContext2);
      return addContext(enriched, await companion2.enrichLater(enriched, aiContext2));
    };
    const exchanges = [];
    const describeAll = () => exchanges.splice(0).forEach((describe6) => quietly(() => emit("network", describe6())));
    const network = {
      exchange: (describe6) => {
        if (exchanges.push(describe6) === 1) later(describeAll, lastWords > 0 ? 0 : DESCRIBED_MS);
      },
      log,
      wantsSuccesses: () => options.all,
      isOwn,
      expect,
      waiting: /* @__PURE__ */ new Map()
    };
    const settle = (isLeaving) => {
      quietly(() => {
        wake();
        rest?.finish();
        if (isLeaving) load()?.finish();
      });
      quietly(() => reportUnanswered(network));
      describeAll();
    };
    const leave = () => {
      settle(true);
      sender().leave();
      if (leavesEarly && !(isPopup && isBlank())) lastWords = LAST_WORDS;
    };
    let companion2;
    const uses = [];
    const withCompanion = (use) => {
      if (companion2) use(companion2);
      else if (!uses[USES]) uses.push(use);
    };
    const actBefore = (type, fields) => {
      const startedMs = now();
      withCompanion((by) => act({ ...by.newAction(type, void 0, now() - startedMs), ...fields }));
    };
    let unhear;
    const hearLeaving = () => unhear ??= stopAll([
      // `beforeunload` comes on navigation and not on close, `pagehide` on both but too late for some; a frame can be taken
      // out of its page; a hidden page may never be seen again.
      leavesEarly ? listen("beforeunload", leave) : void 0,
      leavesEarly && window === top ? void 0 : listen("pagehide", leave),
      // One that leaves is hidden too, and has said all by then.
      listen("visibilitychange", () => document.hidden && lastWords <= 0 && (describeAll(), sender().flush()))
    ]);
    const ignoreLeaving = () => {
      hearLeaving()();
      unhear = nothing;
      later(() => {
        unhear = void 0;
        if (isAwake) hearLeaving();
      }, CLOSING_MS);
    };
    const makeRest = (by) => {
      const actions = quietly(() => by.captureActions(act));
      const dom = quietly(() => by.captureDom((snapshot) => emit("dom", snapshot)));
      const deadClicks = quietly(() => by.captureDeadClicks((entry) => memory().actionsEnabled && log(entry)));
      return {
        finish: () => actions?.finish(),
        settle() {
          actions?.finish();
          dom?.settle();
        },
        undo: stopAll([deadClicks, actions?.undo, dom?.undo])
      };
    };
    let rest;
    const load = onFirstUse(() => quietly(() => companion2?.capturePerformance((snapshot) => emit("load", snapshot), isOwn)));
    let isAwake = false;
    const watch3 = () => {
      isAwake = true;
      hearLeaving();
      companion2?.watchState(aiContext2);
      load();
    };
    const wake = () => {
      watch3();
      rest ??= companion2 && makeRest(companion2);
    };
    const isWaiting = isBlank() && !isPopup && window === top;
    const stopHearing = startAll([
      () => keepListening(wake, isWaiting),
      () => captureNavigation((fromUrl, toUrl) => {
        rest?.settle();
        actBefore("navigate", { fromUrl: redactText(fromUrl), toUrl: redactText(toUrl) });
      }),
      () => captureDialogs((fields) => actBefore("dialog", fields)),
      () => captureConsole((entry) => (entry.level === "error" ? fail : log)(entry)),
      () => captureErrors(fail, isOwn),
      () => captureFetch(network),
      () => captureXhr(network),
      () => captureEventSource(network),
      () => captureWebSocket({ emit: (event) => emit("socket", event), isOwn, wantsMessages: webSocketMessages })
    ]);
    options.companion((came) => {
      companion2 = came;
      if (isAwake) wake();
      for (const use of uses.splice(0)) quietly(() => use(came));
    });
    if (!isWaiting) {
      watch3();
      if (isLoaded()) wake();
      else later(() => isAwake && quietly(wake), 0);
    }
    const stop = () => {
      aiContext2.stateSnapshot = false;
      isAwake = false;
      stopAll([describeAll, stopHearing, hearLeaving(), rest?.undo, load()?.undo, sender().undo])();
    };
    const flush = async (nth) => {
      settle(Boolean(nth));
      for (const report of reports) await report;
      describeAll();
      if (nth) {
        lastWords = LAST_WORDS_CLOSING;
        ignoreLeaving();
      }
      return await sender().flush(nth);
    };
    const api = onFirstUse(() => makePageApi({ version, memory: memory(), aiContext: aiContext2, withCompanion, enrichError, record, flush, stop }));
    return {
      get api() {
        return api();
      },
      emit,
      leave,
      stop
    };
  }
  var passAll = (_kind, payload, pass) => pass(payload);

  // packages/capture/src/roles.ts
  var PRESENTATION = /^(presentation|none)$/;
  var ROLES = "article;banner header;button summary :button :image :reset :submit;cell td;checkbox :checkbox;columnheader th;complementary aside;contentinfo footer;definition dd;dialog;document html;figure;form;group details fieldset optgroup;heading h1 h2 h3 h4 h5 h6;legend;list menu ol ul;listbox datalist;listitem li;main;math;navigation nav;option;progressbar progress;radio :radio;region section;row tr;rowgroup tbody tfoot thead;searchbox :search;separator hr;slider :range;spinbutton :number;status output;table;term dt;textbox textarea :email :tel :text :url";
  var roles = onFirstUse(() => {
    const made = /* @__PURE__ */ new Map();
    for (const line of ROLES.split(";")) {
      const kinds = line.split(" ");
      for (const kind of kinds) made.set(kind, kinds[0] ?? "");
    }
    return made;
  });
  function getRole(element) {
    const given = attributeOf(element, "role")?.trim().split(" ")[0];
    return given && !(PRESENTATION.test(given) && saysMore(element)) ? given : impliedRole(element);
  }
  function saysMore(element) {
    return element.getAttributeNames().some((name) => name.startsWith("aria-"));
  }
  function impliedRole(element) {
    const kind = element.localName;
    if (/^(a|area|link)$/.test(kind)) return element.hasAttribute("href") ? "link" : null;
    if (kind === "img") return attributeOf(element, "alt") === "" && !saysMore(element) ? "presentation" : kind;
    if (isSelect(element)) return element.multiple || element.size > 1 ? "listbox" : "combobox";
    const role = roles().get(isInput(element) ? `:${element.type}` : kind) ?? null;
    return role && /[th]box/.test(role) && element.matches("input[list]") ? "combobox" : role;
  }

  // packages/capture/src/names.ts
  var NAMELESS = /^(generic|none|paragraph|presentation)$/;
  var CONTROLS = /^((spin)?button|(combo|list|text)box|meter|(progress|scroll)bar|slider)$/;
  var NAMED_BY_CONTENT = /^(button|(grid)?cell|(menuitem)?(checkbox|radio)|(column|row)header|heading|label|legend|link|menuitem|option|row|switch|tab|tooltip|treeitem)$/;
  var POINTER = "aria-labelledby";
  var CAPTION_OF = { fieldset: "legend", table: "caption", svg: "title" };
  var BUTTON_TEXTS = { button: "", submit: "Submit", reset: "Reset" };
  function computeName(element) {
    if (NAMELESS.test(getRole(element) ?? "")) return "";
    return nameOnWay(element, {}, /* @__PURE__ */ new Set()).trim().replace(/\s\s+/g, " ");
  }
  function nameOnWay(node, way, seen) {
    if (seen.has(node)) return "";
    if (!isElement(node)) return node instanceof Text && node.nodeValue || "";
    return (way.isReferenced ? null : nameElsewhere(node, way, seen)) ?? ownName(node, way, seen);
  }
  function nameElsewhere(element, way, seen) {
    if (isHidden(element)) return "";
    const pointer = element.getAttributeNode(POINTER);
    const others = pointer && !seen.has(pointer) ? elementsOf(element, POINTER) : [];
    if (!pointer || !others[0]) return null;
    seen.add(pointer);
    return others.map((other) => nameOnWay(other, { isInLabel: way.isInLabel, isReferenced: true }, seen)).join(" ");
  }
  function ownName(element, way, seen) {
    const { isReferenced, isInLabel, isPart } = way;
    const role = getRole(element) ?? "";
    const isControl = isPart && CONTROLS.test(role);
    seen.add(element);
    const given = isControl ? null : attributeOf(element, "aria-label")?.trim() || (PRESENTATION.test(role) ? null : nameOfKind(element, seen));
    const name = given ?? (isControl || isInLabel || isReferenced ? valueOf(element, role, way, seen) : null);
    if (name !== null || role === "menu") return name ?? "";
    const isNamedByContent = isPart || isReferenced || NAMED_BY_CONTENT.test(role) || element.localName === "caption";
    return isNamedByContent && contentOf(element, way, seen) || !isPart && saidIn(element, "title") || "";
  }
  function isHidden(element) {
    if (element.matches("[hidden],[aria-hidden=true]")) return true;
    const { display, visibility } = getComputedStyle(element);
    return display === "none" || visibility === "hidden";
  }
  function elementsOf(element, attribute) {
    const root = element.getRootNode();
    const ids = attributeOf(element, attribute)?.split(" ") ?? [];
    return root instanceof Document || root instanceof DocumentFragment ? ids.flatMap((id) => root.getElementById(id) ?? []) : [];
  }
  function saidIn(element, attribute) {
    const text2 = attributeOf(element, attribute);
    return text2?.trim() ? text2 : null;
  }
  function nameOfKind(element, seen) {
    const kind = element.localName;
    const caption = [...element.children].find((child) => child.localName === CAPTION_OF[kind]);
    if (kind === "svg") return caption?.textContent ?? null;
    if (caption) return nameOnWay(caption, {}, seen);
    if (kind === "img" || kind === "area") return saidIn(element, "alt");
    const type = isInput(element) ? element.type : "";
    const usual = BUTTON_TEXTS[type];
    const written = usual !== void 0 && (saidIn(element, "value") ?? usual);
    if (written) return written;
    const labels = get(element, "labels");
    if (labels instanceof NodeList && labels[0]) return [...labels].map((label) => nameOnWay(label, { isInLabel: true, isPart: true }, seen)).filter(Boolean).join(" ");
    return type === "image" ? saidIn(element, "alt") ?? saidIn(element, "title") ?? "Submit Query" : null;
  }
  function valueOf(element, role, way, seen) {
    const typed = isField(element) ? element.value : void 0;
    if (role === "textbox") return typed ?? element.textContent ?? "";
    if (/^(combo|list)box$/.test(role)) {
      const chosen = [...isSelect(element) ? element.selectedOptions : element.querySelectorAll("[aria-selected=true]")];
      return chosen[0] ? chosen.map((option) => nameOnWay(option, { isInLabel: way.isInLabel, isPart: true }, seen)).join(" ") : typed ?? "";
    }
    if (!CONTROLS.test(role) || role === "button") return null;
    return attributeOf(element, "aria-valuetext") ?? attributeOf(element, "aria-valuenow") ?? attributeOf(element, "value") ?? "";
  }
  function contentOf(element, { isInLabel }, seen) {
    const assigned = element instanceof HTMLSlotElement ? element.assignedNodes() : [];
    const parts = assigned[0] ? assigned : [...element.childNodes, ...elementsOf(element, "aria-owns")];
    const texts = parts.map((part) => {
      const joint = isElement(part) && getComputedStyle(part).display !== "inline" ? " " : "";
      return joint + nameOnWay(part, { isInLabel, isPart: true }, seen) + joint;
    });
    return texts.join("").trim();
  }

  // packages/capture/src/selectors.ts
  var TEXT_CHARS2 = 50;
  var PATH_LEVELS = 5;
  var PATH_CLASSES = 2;
  var NAMES = 60;
  var OTHERS = 1e3;
  var TEST_ID_ATTRIBUTES = ["data-testid", "data-test-id", "data-cy"];
  var DYNAMIC_CLASS = /^(css-|sc-|emotion-|styled-|chakra-|[a-z]{5,8}$)/;
  var ROLELESS_INPUTS = /^(hidden|file|color)$/;
  var PARTS = "li,tr,article,section,fieldset,dialog,form,figure,[role=row],[role=listitem],[role=dialog]";
  var OPAQUE = "article,aside,details,dialog,fieldset,figure,form,header,main,nav";
  var PART_TEXTS = 8;
  var WORD = /[\p{L}\d]{2}/u;
  var BUTTON_INPUTS = "[type=submit],[type=button],[type=reset]";
  var CLICKABLE = `a,button,summary,label,option,[role=button],[role=link],[role=tab],[role=menuitem],[role=option],[onclick],${BUTTON_INPUTS}`;
  var OF_MANY_ROLES = "a,button,input,textarea,select,h1,h2,h3,h4,h5,h6";
  function escape(text2) {
    return CSS.escape(text2);
  }
  var trees = [];
  function selectorsOf(element) {
    trees = treesOf(element.ownerDocument);
    const cssPath = cssPathOf(element);
    const unique = { cssPath: isOnly(cssPath) };
    const found = { cssPath, unique };
    const testIdAttribute = testIdAttributeOf(element);
    if (testIdAttribute) {
      found.testId = attributeOf(element, testIdAttribute);
      unique["testId"] = isOnlyWith(element, testIdAttribute);
      if (testIdAttribute !== TEST_ID_ATTRIBUTES[0]) found.testIdAttribute = testIdAttribute;
    }
    const ariaLabel = attributeOf(element, "aria-label");
    if (ariaLabel) {
      found.ariaLabel = ariaLabel;
      unique["ariaLabel"] = isOnlyWith(element, "aria-label") && !twinsOf(element, ariaLabel)[0];
    }
    const role = roleOf(element);
    const name = role === null ? "" : nameOf2(element);
    let likes = testIdAttribute ? candidatesFor(withAttribute(element, testIdAttribute)) : [];
    if (role !== null && name) {
      found.role = { role, name };
      const others = othersOf(element, `${escape(element.localName)},${OF_MANY_ROLES},[role="${escape(role)}"]`, (other) => roleOf(other) === role);
      const names = others?.map(others.length > NAMES ? shortNameOf : nameOf2);
      unique["role"] = false;
      if (names && isCalledSo(element)) tellApart(unique, name, names);
      if (!testIdAttribute) likes = others?.filter((_, index) => names?.[index] === name);
    }
    const id = uniqueIdOf(element);
    if (id) {
      found.id = id;
      unique["id"] = true;
    }
    const text2 = clickableTextOf(element);
    if (text2) {
      found.text = text2;
      const twins = twinsOf(element, text2);
      unique["text"] = !twins[0];
      if (!testIdAttribute && !found.role) likes = twins;
    }
    const alone = unique["testId"] || unique["role"] || unique["roleExact"] || unique["text"] || id && !/\d/.test(id);
    const scope = !alone && likes && scopeOf(element, likes);
    if (scope) found.scope = scope;
    return found;
  }
  function tellApart(unique, name, others) {
    unique["role"] = !isPartOf(others, name);
    if (!unique["role"] && !others.includes(name)) unique["roleExact"] = true;
    const uncounted = (text2) => text2.replace(/\d+/g, "#");
    if (uncounted(name) !== name && !others.map(uncounted).includes(uncounted(name))) unique["roleCounted"] = true;
  }
  function isCalledSo(element) {
    return element.localName !== "summary" && (attributeOf(element, "aria-label") !== null || !element.querySelector(OPAQUE));
  }
  function isPartOf(others, text2) {
    return others.some((other) => other.toLowerCase().includes(text2.toLowerCase()));
  }
  function scopeOf(element, likes) {
    for (let part = element; part; part = parentOf(part)) {
      const whole = part;
      if (likes.some((like) => like !== element && holds(whole, like))) return void 0;
      const attribute = whole === element ? void 0 : testIdAttributeOf(whole);
      if (attribute && isOnlyWith(whole, attribute)) return { css: withAttribute(whole, attribute) };
      const text2 = whole === element || whole.shadowRoot || whole.matches(PARTS) ? tellingText(whole, element) : void 0;
      if (text2) return { css: escape(whole.localName), ...text2, ...whole === element ? { own: true } : {} };
    }
    return void 0;
  }
  function tellingText(part, element) {
    const [own = "", ...others] = [part, ...othersOf(part, escape(part.localName), () => true) ?? [part]].map((other) => onOneLine(insideOf(other)));
    const texts = textsIn(insideOf(part));
    for (let tries = 0; tries < PART_TEXTS && texts.nextNode(); tries++) {
      const text2 = onOneLine(texts.currentNode);
      const isInElement = part !== element && element.contains(texts.currentNode);
      if (!WORD.test(text2) || text2.length > TEXT_CHARS2 || isInElement) continue;
      if (!isPartOf(others, text2)) return { text: text2 };
      const whole = withWholeNumbers(text2);
      if (isPartOf([withWholeNumbers(own)], whole) && !isPartOf(others.map(withWholeNumbers), whole)) return { text: text2, whole: true };
    }
    return void 0;
  }
  function onOneLine({ textContent }) {
    return (textContent ?? "").replace(/\s+/g, " ").trim();
  }
  function withWholeNumbers(text2) {
    return text2.replace(/\d+/g, " $& ");
  }
  function testIdAttributeOf(element) {
    return TEST_ID_ATTRIBUTES.find((attribute) => attributeOf(element, attribute));
  }
  function testIdOf(element) {
    const attribute = testIdAttributeOf(element);
    return attribute ? attributeOf(element, attribute) : null;
  }
  function roleOf(element) {
    if (element.closest("[aria-hidden=true]")) return null;
    return getRole(element) ?? (isInput(element) && !ROLELESS_INPUTS.test(element.type) ? "textbox" : null);
  }
  function nameOf2(element) {
    return quietly(() => computeName(element)) || element.matches("input,textarea") && attributeOf(element, "placeholder") || "";
  }
  function shortNameOf(element) {
    return attributeOf(element, "aria-label") || textOf(element, TEXT_CHARS2) || nameOf2(element);
  }
  function twinsOf(element, text2) {
    const twins = candidatesFor(BUTTON_INPUTS).filter((button) => button !== element && textOf(button, TEXT_CHARS2) === text2);
    for (const tree of trees) {
      const texts = textsIn(tree.querySelector("body") ?? tree);
      while (texts.nextNode()) {
        const twin = speakerOf(texts.currentNode, text2);
        if (twin && !element.contains(twin)) twins.push(twin);
      }
    }
    return twins;
  }
  function speakerOf(piece, text2) {
    if (piece.nodeValue?.trim()[0] !== text2[0]) return void 0;
    for (let part = piece.parentElement; part; part = part.parentElement) {
      const said = wholeTextOf(part, text2.length);
      if (said === text2) return part;
      if (said === void 0) break;
    }
    return void 0;
  }
  function uniqueIdOf(element) {
    const id = attributeOf(element, "id");
    return id && isOnly(`#${escape(id)}`) ? id : void 0;
  }
  function clickableTextOf(element) {
    return element.matches(CLICKABLE) ? wholeTextOf(element, TEXT_CHARS2) : void 0;
  }
  function wholeTextOf(element, chars) {
    const text2 = textOf(element, chars + 2);
    return text2.length <= chars ? text2 : void 0;
  }
  function textOf(element, chars) {
    if (isInput(element)) return element.matches(BUTTON_INPUTS) ? element.value.trim().slice(0, chars) : "";
    const texts = textsIn(element);
    let text2 = "";
    while (text2.length <= chars && texts.nextNode()) text2 = (text2 + (texts.currentNode.nodeValue ?? "")).replace(/\s+/g, " ").trimStart();
    return text2.slice(0, chars).trimEnd();
  }
  function isDynamicClass(name) {
    return DYNAMIC_CLASS.test(name);
  }
  function cssPathOf(element) {
    const steps = [];
    for (let current = element; current && steps.length < PATH_LEVELS; current = parentOf(current)) {
      if (current === document.body || current === document.documentElement) break;
      const id = uniqueIdOf(current);
      steps.unshift(id ? `#${escape(id)}` : stepOf(current));
      if (id) break;
    }
    return steps.join(" > ") || element.localName;
  }
  function stepOf(element) {
    const classes = [...element.classList].filter((name) => !isDynamicClass(name)).slice(0, PATH_CLASSES);
    const step = [element.localName, ...classes].map(escape).join(".");
    const siblings = [...element.parentNode?.children ?? []];
    return siblings.filter((sibling) => sibling.matches(step)).length > 1 ? `${step}:nth-child(${siblings.indexOf(element) + 1})` : step;
  }
  function withAttribute(element, attribute) {
    return `[${attribute}="${escape(attributeOf(element, attribute) ?? "")}"]`;
  }
  function isOnlyWith(element, attribute) {
    return isOnly(withAttribute(element, attribute));
  }
  function isOnly(selector) {
    return candidatesFor(selector).length === 1;
  }
  function candidatesFor(selector) {
    return trees.flatMap((tree) => [...tree.querySelectorAll(selector)]);
  }
  function othersOf(element, selector, counts) {
    const others = candidatesFor(selector).filter((other) => other !== element && counts(other));
    return others.length > OTHERS ? void 0 : others;
  }
  function treesOf(tree, found = []) {
    found.push(tree);
    const all = tree.querySelectorAll("*");
    for (let index = all.length; index--; ) {
      const { shadowRoot } = all.item(index);
      if (shadowRoot) treesOf(shadowRoot, found);
    }
    return found;
  }
  function parentOf({ parentNode, parentElement }) {
    return parentNode instanceof ShadowRoot ? parentNode.host : parentElement;
  }
  function holds(part, element) {
    return element !== null && (element === part || holds(part, parentOf(element)));
  }
  function insideOf(element) {
    return element.shadowRoot ?? element;
  }
  function textsIn(node) {
    return document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  }

  // packages/capture/src/actions.ts
  var VALUE_CHARS2 = 100;
  var TEXT_CHARS3 = 100;
  var CHOICES = 100;
  var SCROLL_MS = 500;
  var TYPING_PAUSE_MS = 1e3;
  var KEYS2 = /* @__PURE__ */ new Set(["Enter", "Escape", "Tab"]);
  var FRAME_NAMES = ["id", "name", "title", "src"];
  var NOT_TYPED = /^(checkbox|radio|file|submit|button|reset|image)$/;
  var lastActed = { element: null, atMs: -Infinity };
  function captureActions(emit) {
    let count = 0;
    const tell = (type, fields, event) => emit({ ...newAction(type, event), actionId: `act_${epochNow()}_${++count}`, ...fields });
    const typing = followTyping(tell);
    const scrolling = throttleScroll(tell);
    let labelled;
    let labelledAt = 0;
    let isEnterHeld = false;
    let dragged = null;
    const on2 = (type, react) => listen(type, (event) => {
      typing.finish();
      react(elementOf(event), event);
    });
    const undo = stopAll([
      on2("click", (clicked, event) => {
        if (!clicked || !(event instanceof MouseEvent)) return;
        if (clicked === labelled && event.timeStamp === labelledAt || isEnterHeld && event.detail === 0) return;
        labelled = clicked.closest("label")?.control;
        labelledAt = event.timeStamp;
        const element = clicked.closest(CLICKABLE) ?? clicked;
        const text2 = textOf(element, TEXT_CHARS3);
        tell("click", { ...pointAt(element), position: { x: event.clientX, y: event.clientY }, text: text2 || void 0 }, event);
      }),
      listen("input", (event) => typing.see(elementOf(event))),
      on2("change", (element) => {
        if (isSelect(element)) tell("select", { ...pointAt(element), ...describeChoice(element) });
        else if (isInput(element) && element.type === "file") tell("input", { ...pointAt(element), ...describeInput(element) });
      }),
      listen("keydown", (event) => {
        if (!(event instanceof KeyboardEvent) || !KEYS2.has(event.key)) return;
        typing.finish();
        isEnterHeld = event.key === "Enter";
        tell("keypress", { ...pointAt(elementOf(event)), key: event.key }, event);
      }),
      listen("keyup", () => isEnterHeld = false),
      on2("submit", (form) => {
        if (form instanceof HTMLFormElement) tell("submit", { ...pointAt(form), action: attributeOf(form, "action") ?? "", method: (attributeOf(form, "method") ?? "GET").toUpperCase() });
      }),
      // A field scrolls by itself under what is typed into it.
      listen("scroll", (event) => isInput(event.target) || scrolling.see(event.target)),
      on2("dragstart", (element) => void (dragged = element && pointAt(element))),
      on2("drop", (element) => {
        if (dragged && element) tell("drag", { ...dragged, drop: selectorsOf(element) });
        dragged = null;
      }),
      typing.finish,
      scrolling.undo
    ]);
    return { undo, finish: typing.finish };
  }
  function newAction(type, event, agoMs = event ? now() - event.timeStamp : 0) {
    const timestamp = Math.round(epochNow() - agoMs);
    const [x, y] = event instanceof MouseEvent && event.detail ? [event.pageX - event.clientX, event.pageY - event.clientY] : [scrollX, scrollY];
    return { type, timestamp, ts: isoTime(timestamp), url: redactText(pageUrl()), scroll: { x: Math.round(x), y: Math.round(y) }, frame: window === top ? void 0 : framePath(window) };
  }
  function framePath(view) {
    const frame = quietly(() => view.frameElement);
    if (!frame) return `iframe[src*="${escape(view.location.pathname)}"]`;
    const name = FRAME_NAMES.find((attribute) => attributeOf(frame, attribute));
    const around = view.parent === top ? "" : `${framePath(view.parent)} >> `;
    return around + (name ? `iframe${withAttribute(frame, name)}` : cssPathOf(frame));
  }
  function followTyping(tell) {
    let field = null;
    let action = {};
    let timer = 0;
    const finish = () => {
      cancelLater(timer);
      if (field) tell("input", action);
      field = null;
    };
    const see = (element) => {
      const typed = typedField(element);
      if (!typed) return;
      if (field !== typed) {
        finish();
        action = { ...newAction("input"), ...pointAt(typed) };
      }
      field = typed;
      action = { ...action, ...describeInput(typed) };
      cancelLater(timer);
      timer = later(() => quietly(finish), TYPING_PAUSE_MS);
    };
    return { see, finish };
  }
  function typedField(element) {
    if (isInput(element)) return NOT_TYPED.test(element.type) ? null : element;
    return element?.closest("textarea,[contenteditable]") ?? null;
  }
  function throttleScroll(tell) {
    let timer;
    let scrolled = null;
    let begun = {};
    const report = () => {
      timer = void 0;
      const element = isElement(scrolled) ? scrolled : null;
      tell("scroll", {
        ...begun,
        scrollX: Math.round(element ? element.scrollLeft : scrollX),
        scrollY: Math.round(element ? element.scrollTop : scrollY),
        target: "window",
        ...pointAt(element)
      });
    };
    const see = (target) => {
      scrolled = target;
      if (timer === void 0) begun = newAction("scroll");
      timer ??= later(() => quietly(report), SCROLL_MS);
    };
    return { see, undo: () => timer !== void 0 && cancelLater(timer) };
  }
  function elementOf(event) {
    const [deepest = event.target] = event.composedPath();
    const element = isElement(deepest) ? deepest : null;
    lastActed.element = element;
    lastActed.atMs = now();
    return element;
  }
  function pointAt(element) {
    if (!element) return {};
    const id = attributeOf(element, "id");
    const classes = [...element.classList].slice(0, 2);
    return { selectors: selectorsOf(element), target: [element.localName + (id ? `#${id}` : ""), ...classes].join(".") };
  }
  function describeInput(element) {
    const files = isInput(element) && element.files ? [...element.files].map((file) => file.name).join(", ") : "";
    const value = files || (isField(element) ? element.value : element.textContent ?? "");
    return {
      inputType: isField(element) ? element.type : "contenteditable",
      value: isSensitiveInput(element) ? INPUT_MARK : redactText(value.slice(0, VALUE_CHARS2))
    };
  }
  function describeChoice({ options, selectedOptions, value: selectedValue }) {
    const chosen = [...selectedOptions].slice(0, CHOICES);
    const isOnly2 = (name) => name.length <= VALUE_CHARS2 && [...options].filter(({ value, label }) => value === name || label === name).length === 1;
    const names = chosen.flatMap(({ value, label }) => [value, label].find(isOnly2) ?? []);
    return {
      selectedValue: selectedValue.slice(0, VALUE_CHARS2),
      selectedText: (chosen[0]?.text ?? "").slice(0, VALUE_CHARS2),
      // By their places where names are not enough; unsaid where the value is.
      choices: names.length < chosen.length ? chosen.map(({ index }) => index) : names.length === 1 && names[0] === selectedValue ? void 0 : names
    };
  }

  // packages/capture/src/deadClicks.ts
  var PATIENCE_MS2 = 1e3;
  var NAME_CHARS = 60;
  var BUTTONS = 'button,[role=button],[type=submit],[type=button],[type=image],a[href="#"],a[href^="javascript:"]';
  var SIGNS = ["submit", "input", "change", "toggle", "scroll", "play", "blur", "copy", "beforeunload", "visibilitychange"];
  function captureDeadClicks(emit) {
    const hear = listen("click", (event) => {
      const [clicked = event.target, ...path] = event.composedPath();
      const button = isElement(clicked) && clicked.closest(BUTTONS);
      if (event.isTrusted && !deeds.afterwards && button && !button.matches(":disabled,[aria-disabled=true]")) watch2(button, [document, ...path], () => emit(describe3(button)));
    });
    return stopAll([hear, patchMethod(window, "open", (proceed) => proceed())]);
  }
  function watch2(button, path, tell) {
    const before = deeds.soFar;
    const address = pageUrl();
    const focused = document.activeElement;
    const stop = () => {
      cancelLater(timer);
      observer.disconnect();
      for (const sign of SIGNS) removeListener(window, sign, stop);
    };
    const observer = new NativeObserver(stop);
    for (const root of path) {
      if (root instanceof Document || root instanceof ShadowRoot) observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    }
    for (const sign of SIGNS) addListener(window, sign, stop);
    const timer = later(() => {
      stop();
      if (deeds.soFar === before && pageUrl() === address && hasKeptFocus(focused, button)) quietly(tell);
    }, PATIENCE_MS2);
  }
  function hasKeptFocus(focused, button) {
    const { activeElement } = document;
    return activeElement === focused || activeElement === document.body || button.contains(activeElement);
  }
  function describe3(button) {
    const name = redactText((nameOf2(button) || button.localName).slice(0, NAME_CHARS));
    return logEntry({ level: "warn", type: "dead-click", message: `Nothing followed a click on "${name}" within a second: no change, no request` });
  }

  // packages/capture/src/loaded.ts
  function onceLoaded(run) {
    if (isLoaded()) run();
    return listen("load", run);
  }

  // packages/capture/src/dom.ts
  var SETTLE_MS = 500;
  var ELEMENTS = 60;
  var TEXT_CHARS4 = 80;
  var WORTH_SEEING = "h1,h2,h3,h4,button,a[href],input:not([type=hidden]),select,textarea,[role],[data-testid],[data-test-id],[data-cy],table,dialog,form,img[alt]";
  function captureDom(emit) {
    let stopped = window !== top;
    const settle = () => void later(() => stopped || quietly(() => emit(takeSnapshot())), SETTLE_MS);
    return { settle, undo: stopAll([onceLoaded(settle), () => stopped = true]) };
  }
  function takeSnapshot() {
    const elements = [];
    for (const element of document.querySelectorAll(WORTH_SEEING)) {
      if (elements.length >= ELEMENTS) break;
      elements.push(describe4(element));
    }
    return { timestamp: epochNow(), url: redactText(pageUrl()), title: document.title.slice(0, TEXT_CHARS4), elements };
  }
  function describe4(element) {
    const heading = /^h([1-6])$/.exec(element.localName)?.[1];
    return {
      role: roleOf(element),
      level: heading && Number(heading),
      // By its name a heading is found again: what is only there for the eye is no part of that.
      text: redactText(heading ? nameOf2(element).slice(0, TEXT_CHARS4) : textOf(element, TEXT_CHARS4)),
      testId: testIdOf(element),
      visible: element.checkVisibility()
    };
  }

  // packages/capture/src/components.ts
  var COMPONENTS = 10;
  var PROP_KEYS = 20;
  var STATE_KEYS = 10;
  var NAME_CHARS2 = 60;
  var ANCESTRY_CHARS = 5e3;
  var BUDGET_MS = 50;
  var deadline = 0;
  function ancestryOf(origin) {
    for (let element = origin; element; element = parentOf2(element)) {
      const found = limit("react", walkReact(fiberOf(element))) ?? limit("vue", walkVue(element, origin)) ?? limit("svelte", walkSvelte(element));
      if (found) return found;
    }
    return null;
  }
  function ancestryInText(text2) {
    if (!/component/i.test(text2)) return null;
    const named = [...text2.matchAll(/^ +(?:in|at) ([A-Z]\w*)/gm)].map(([, name]) => describe5(name));
    return limit("react", named);
  }
  function limit(framework, walk) {
    const components = [];
    deadline = now() + BUDGET_MS;
    for (const component of walk) {
      components.unshift(component);
      if (components.length >= COMPONENTS || isLate()) break;
    }
    while (stringify(components).length > ANCESTRY_CHARS) components.shift();
    return components.length > 0 ? { framework, components } : null;
  }
  function isLate() {
    return now() > deadline;
  }
  function parentOf2(element) {
    const parent = element.parentElement ?? at(element.getRootNode(), "host");
    return isElement(parent) ? parent : null;
  }
  function describe5(name, props, stateKeys = [], hasState = stateKeys.length > 0) {
    const propKeys = keysOf(props).filter((key) => key !== "children");
    return {
      name: isText(name) && cut(name, NAME_CHARS2) || "Anonymous",
      propKeys: some(propKeys, PROP_KEYS),
      hasState: hasState || void 0,
      stateKeys: some(stateKeys, STATE_KEYS)
    };
  }
  function some(keys, count) {
    return keys.length > 0 ? keys.slice(0, count).map((key) => cut(key, NAME_CHARS2)) : void 0;
  }
  function fiberOf(element) {
    const key = Object.keys(element).find((name) => /^__react(Fiber|InternalInstance)\$/.test(name));
    return key && at(element, key);
  }
  function* walkReact(leaf) {
    let provided = [];
    let last;
    for (const fiber of chain(leaf, "return")) {
      const type = at(fiber, "type");
      const props = at(fiber, "memoizedProps");
      const component = unwrap(type);
      if (isObject(type) && ("_context" in type || "_currentValue" in type)) provided = keysOf(at(props, "value"));
      if (!component || component === last && isObject(type)) continue;
      last = component;
      const state = at(fiber, "memoizedState");
      const isClass = at(component, "prototype", "isReactComponent");
      const stateKeys = [...isClass ? keysOf(state) : [], ...provided];
      provided = [];
      yield describe5(at(type, "displayName") ?? at(component, "displayName") ?? at(component, "name"), props, stateKeys, stateKeys.length > 0 || hasHookState(state));
    }
  }
  function unwrap(type) {
    return isObject(type) ? unwrap(at(type, "type") ?? at(type, "render")) : isCallable(type) ? type : void 0;
  }
  function hasHookState(first2) {
    return [...chain(first2, "next")].some((hook) => isObject(at(hook, "queue")));
  }
  function* walkVue(element, origin) {
    for (const instance of chain(at(element, "__vueParentComponent") ?? findInstance(at(element, "_vnode"), origin), "parent")) {
      const type = at(instance, "type");
      const setup = at(instance, "devtoolsRawSetupState");
      const made = keysOf(setup).filter((key) => !isCallable(at(setup, key)) && !at(setup, key, "render") && !at(setup, key, "setup"));
      yield describe5(at(type, "name") ?? at(type, "__name") ?? fileName(at(type, "__file")), at(instance, "props"), [...keysOf(at(instance, "data")), ...made]);
    }
  }
  function findInstance(vnode, target, owner) {
    const component = at(vnode, "component");
    if (component) return findInstance(at(component, "subTree"), target, component);
    const shown = at(vnode, "el");
    if (isElement(shown) && !shown.contains(target) || isLate()) return void 0;
    const children = at(vnode, "children");
    for (const child of Array.isArray(children) ? children : []) {
      const found = findInstance(child, target, owner);
      if (found) return found;
    }
    return isElement(shown) ? owner : void 0;
  }
  function* walkSvelte(element) {
    const meta = at(element, "__svelte_meta");
    if (!meta) return;
    yield describe5(fileName(at(meta, "loc", "file")));
    for (const block of chain(at(meta, "parent"), "parent")) {
      if (at(block, "type") === "component") yield describe5(fileName(at(block, "file")));
    }
  }
  function fileName(path) {
    return /([^/\\]+)\.\w+$/.exec(String(path))?.[1];
  }

  // packages/capture/src/state.ts
  var KEYS3 = 20;
  var VALUES = 10;
  var VALUE_CHARS3 = 200;
  var STATE_CHARS = 5e3;
  var BUDGET_MS2 = 100;
  var FIBERS = 2e3;
  var RECENT_MS = 2e3;
  var LOOK_MS = 500;
  var TELLING = /error|loading|status|failed/i;
  var MOUNT_POINTS = "body,body>*,body>*>*,body>*>*>*";
  var samples = [];
  var isWatching = false;
  function watchState(wanted) {
    const look2 = () => {
      samples = samples.filter(isRecent);
      isWatching = wanted.enabled && wanted.stateSnapshot;
      if (!isWatching) return;
      const found = quietly(findStore);
      if (found) samples.push([now(), pathsOf(found[1])]);
      later(look2, LOOK_MS);
    };
    if (!isWatching) look2();
  }
  function isRecent([atMs]) {
    return now() - atMs < RECENT_MS;
  }
  function pathsOf(state) {
    const paths = /* @__PURE__ */ new Map();
    for (const name of keysOf(state).slice(0, KEYS3)) {
      const value = at(state, name);
      paths.set(name, [value, name]);
      for (const key of keysOf(value).slice(0, KEYS3)) paths.set(`${name}.${key}`, [at(value, key), name, key]);
    }
    return paths;
  }
  function findStore() {
    return findOnWindow() ?? findInPage(now() + BUDGET_MS2);
  }
  function snapshotState(message) {
    const found = findStore();
    if (!found) return null;
    const [source, state] = found;
    const keys = {};
    const values = [];
    const words = new Set(message.toLowerCase().match(/\w{3,}/g));
    const tells = (key) => TELLING.test(key) || words.has(key.toLowerCase());
    const before = samples.find(isRecent)?.[1];
    for (const [path, [value, name, key]] of pathsOf(state)) {
      const members = key === void 0 ? keysOf(value).slice(0, KEYS3) : [];
      if (isCallable(value)) continue;
      if (key === void 0) keys[name] = { type: typeOf(value), keys: typeOf(value) === "object" ? members : void 0 };
      const changed = before && before.get(path)?.[0] !== value;
      if (members.length === 0 && (changed || tells(name) || tells(key ?? name))) values.push([path, show(key ?? name, value)]);
    }
    const snapshot = { source, keys, relevantSlice: Object.fromEntries(values.slice(0, VALUES)) };
    for (const name of keysOf(keys).reverse()) if (stringify(snapshot).length > STATE_CHARS) delete keys[name];
    return snapshot;
  }
  function typeOf(value) {
    return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  }
  function show(key, value) {
    if (isSecretName(key)) return INPUT_MARK;
    if (isText(value)) return cut(redactText(value), VALUE_CHARS3);
    return isObject(value) || isCallable(value) ? cut(`[${typeOf(value)}: ${Object.keys(value).join(", ")}]`, VALUE_CHARS3) : value;
  }
  function readStore(store) {
    const getState = at(store, "getState");
    const state = isCallable(getState) ? quietly(() => getState.call(store)) : void 0;
    return isObject(state) ? [at(store, "dispatch") ? "redux" : "zustand", state] : void 0;
  }
  function findOnWindow() {
    for (const name of Object.keys(window)) {
      const found = /store|redux|zustand/i.test(name) && readStore(at(window, name));
      if (found) return found;
    }
    return readPinia(at(window, "__pinia")) ?? readSvelte(at(window, "__svelte_stores"));
  }
  function readPinia(pinia) {
    const state = at(pinia, "state", "value");
    return isObject(state) ? ["pinia", state] : void 0;
  }
  function readSvelte(stores) {
    if (!isObject(stores)) return void 0;
    const state = {};
    for (const name of keysOf(stores)) {
      const store = at(stores, name);
      const subscribe = at(store, "subscribe");
      state[name] = store;
      const leave = isCallable(subscribe) && quietly(() => subscribe.call(store, (value) => state[name] = value));
      if (isCallable(leave)) leave();
    }
    return ["svelte", state];
  }
  function findInPage(deadline2) {
    let inHook;
    let count = 0;
    for (const root of document.querySelectorAll(MOUNT_POINTS)) {
      const pinia = readPinia(at(root, "__vue_app__", "config", "globalProperties", "$pinia"));
      if (pinia) return pinia;
      const container = Object.keys(root).find((name) => name.startsWith("__reactContainer$")) ?? "";
      for (const fiber of fibersOf(at(root, container, "stateNode", "current") ?? at(root, "_reactRootContainer", "_internalRoot", "current"))) {
        const found = readStore(at(fiber, "memoizedProps", "store")) ?? readStore(at(fiber, "memoizedProps", "value", "store"));
        if (found || now() > deadline2 || ++count > FIBERS) return found ?? inHook;
        inHook ??= readHooks(at(fiber, "memoizedState"));
      }
    }
    return inHook;
  }
  function* fibersOf(first2) {
    for (const fiber of chain(first2, "sibling")) {
      yield fiber;
      yield* fibersOf(at(fiber, "child"));
    }
  }
  function readHooks(first2) {
    for (const hook of chain(first2, "next")) {
      const store = readStore(at(hook, "memoizedState", "1", "0"));
      const value = at(hook, "queue", "getSnapshot") && at(hook, "queue", "value");
      if (store) return store;
      if (isObject(value)) return ["zustand", value];
    }
    return void 0;
  }

  // packages/capture/src/enrichment.ts
  var CAUSE_MS = 1e3;
  function enrichNow(entry, { sourceSnippets, componentTree }) {
    return addContext(entry, { ...sourceSnippets ? {} : { sourceSnippets: [] }, ...componentTree && componentsAround(entry) });
  }
  async function enrichLater(entry, { stateSnapshot }) {
    await pause(0);
    const state = stateSnapshot && quietly(() => snapshotState(entry.message ?? ""));
    return state ? { ...entry._aiContext, stateSnapshot: state } : {};
  }
  function componentsAround({ message = "" }) {
    const componentAncestry = quietly(() => {
      const acted = now() - lastActed.atMs < CAUSE_MS && ancestryOf(lastActed.element);
      return acted || (ancestryInText(message) ?? ancestryOf(document.activeElement));
    });
    return componentAncestry ? { componentAncestry } : {};
  }

  // packages/capture/src/vitals.ts
  var SESSION_GAP_MS = 1e3;
  var SESSION_MS = 5e3;
  var INTERACTIONS_KEPT = 10;
  var INTERACTIONS_PER_OUTLIER = 50;
  function readVitals() {
    const vitals = { lcp: null, cls: null, inp: null };
    observe({ type: "largest-contentful-paint" }, (entry) => vitals.lcp = entry.startTime)();
    watchLayoutShifts((value) => vitals.cls = value)();
    watchInteractions((value) => vitals.inp = value)();
    return vitals;
  }
  function watchLayoutShifts(tell) {
    let worst = 0;
    let burst = 0;
    let first2 = 0;
    let last = 0;
    quietly(() => PerformanceObserver.supportedEntryTypes?.includes("layout-shift") && tell(0));
    return observe({ type: "layout-shift" }, (entry) => {
      if (numberOf(entry, "hadRecentInput")) return;
      const value = numberOf(entry, "value");
      const joins = burst > 0 && entry.startTime - last < SESSION_GAP_MS && entry.startTime - first2 < SESSION_MS;
      burst = joins ? burst + value : value;
      if (!joins) first2 = entry.startTime;
      last = entry.startTime;
      if (burst > worst) tell(worst = burst);
    });
  }
  function watchInteractions(tell) {
    const slowest = /* @__PURE__ */ new Map();
    const see = (entry) => {
      const id = numberOf(entry, "interactionId");
      if (id === 0) return;
      slowest.set(id, Math.max(slowest.get(id) ?? 0, entry.duration));
      const ranked = [...slowest].sort(([, one], [, other]) => other - one);
      for (const [id2] of ranked.splice(INTERACTIONS_KEPT)) slowest.delete(id2);
      const outliers = Math.floor(numberOf(performance, "interactionCount") / INTERACTIONS_PER_OUTLIER);
      tell(ranked[Math.min(ranked.length - 1, outliers)]?.[1] ?? 0);
    };
    return stopAll([observe({ type: "event" }, see), observe({ type: "first-input" }, see)]);
  }
  function observe(options, see) {
    const observer = quietly(() => {
      const made = new PerformanceObserver((list) => quietly(() => list.getEntries().forEach(see)));
      made.observe({ ...options, buffered: true });
      made.takeRecords().forEach(see);
      return made;
    });
    return () => observer?.disconnect();
  }
  function numberOf(holder, name) {
    return Number(get(holder, name) ?? 0);
  }

  // packages/capture/src/performance.ts
  var SETTLE_MS2 = 2e3;
  var LONG_TASKS = 50;
  var BLOCKING_FROM_MS = 50;
  var SLOWEST = 3;
  var URL_CHARS = 80;
  function capturePerformance(emit, isOwn) {
    let done = window !== top || pageUrl().startsWith("about:");
    if (done) return { undo: nothing, finish: nothing };
    const tasks = [];
    const finish = () => {
      if (done || !isLoaded()) return;
      done = true;
      emit(takeSnapshot2(readVitals(), tasks, isOwn));
    };
    const undo = stopAll([
      // Of these, browsers do not keep all for who comes later.
      observe({ type: "longtask" }, (task) => tasks.length < LONG_TASKS && tasks.push(task.duration)),
      onceLoaded(() => later(() => quietly(finish), SETTLE_MS2)),
      () => done = true
    ]);
    return { undo, finish };
  }
  function takeSnapshot2(vitals, tasks, isOwn) {
    const timestamp = isoTime(epochNow());
    const [timing] = timingsOf("navigation");
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    return {
      url: location.pathname,
      ts: timestamp,
      timestamp,
      timing: {
        domContentLoaded: timing?.domContentLoadedEventEnd ?? null,
        load: timing?.loadEventEnd ?? null,
        firstContentfulPaint: paint?.startTime ?? null,
        largestContentfulPaint: vitals.lcp,
        interactionToNextPaint: vitals.inp,
        timeToFirstByte: timing?.responseStart ?? null,
        domInteractive: timing?.domInteractive ?? null
      },
      network: summariseResources(timing, isOwn),
      longTasks: {
        count: tasks.length,
        totalBlockingTime: tasks.reduce((sum, task) => sum + Math.max(0, task - BLOCKING_FROM_MS), 0),
        longest: Math.max(0, ...tasks)
      },
      cumulativeLayoutShift: vitals.cls
    };
  }
  function timingsOf(type) {
    return entriesOf(type).filter((entry) => "transferSize" in entry);
  }
  function summariseResources(page, isOwn) {
    const resources = timingsOf("resource").filter(({ name }) => !isOwn(name));
    const byType = {};
    let transferSize = page?.transferSize ?? 0;
    let decodedSize = page?.decodedBodySize ?? 0;
    for (const resource of resources) {
      const total = byType[resource.initiatorType || "other"] ??= { count: 0, size: 0 };
      total.count++;
      total.size += resource.transferSize;
      transferSize += resource.transferSize;
      decodedSize += resource.decodedBodySize;
    }
    return {
      requestCount: resources.length + (page ? 1 : 0),
      transferSize,
      decodedSize,
      byType,
      slowestRequests: resources.sort((one, other) => other.duration - one.duration).slice(0, SLOWEST).map(({ name, duration, transferSize: size }) => ({ url: redactText(name).slice(0, URL_CHARS), duration, size }))
    };
  }

  // packages/capture/src/playwright.ts
  var PAUSE_MS = 2e3;
  var SCRIPT_CHARS = 51200;
  function writeScript(actions, { errorMessage = "captured user actions", baseUrl } = {}) {
    const start2 = actions[0]?.url ?? pageUrl();
    const lines = [`await page.goto(${quote(baseUrl ? start2.replace(/^\w+:\/\/[^/]*/, baseUrl) : start2)});`];
    let last = Number(actions[0]?.timestamp);
    for (const action of actions) {
      const at2 = Number(action.timestamp);
      if (at2 - last > PAUSE_MS) lines.push(`// [${Math.round((at2 - last) / 1e3)}s pause]`);
      last = at2;
      lines.push(writeStep(action));
    }
    const title = quote(`reproduction: ${errorMessage.slice(0, 80)}`);
    const body = lines.map((line) => `  ${line}
`).join("");
    return `import {test} from '@playwright/test';

test(${title}, async ({page}) => {
${body.slice(0, SCRIPT_CHARS)}});
`;
  }
  function writeStep({ type = "", selectors, value, inputType, key, selectedValue, toUrl, scrollY: scrollY2 }) {
    if (type === "scroll") return `// scrolled to y=${scrollY2}`;
    if (type === "keypress") return `await page.keyboard.press(${quote(key)});`;
    if (type === "navigate") return `await page.waitForURL(${quote(toUrl)});`;
    if (!selectors) return `// ${type}: nothing to point at`;
    const secret = inputType === "password" || value === "[redacted]";
    const call = {
      click: "click()",
      input: `fill(${quote(secret ? "[user-provided]" : value)})`,
      select: `selectOption(${quote(selectedValue)})`
    }[type];
    const locator = `page.${locate(selectors)}`;
    return call ? `await ${locator}.${call};` : `// ${type}: ${locator}`;
  }
  function locate({ testId, role, ariaLabel, text: text2, id, cssPath }) {
    if (testId) return `getByTestId(${quote(testId)})`;
    if (role?.name) return `getByRole(${quote(role.role)}, {name: ${quote(role.name)}})`;
    if (ariaLabel) return `getByLabel(${quote(ariaLabel)})`;
    if (text2) return `getByText(${quote(text2)})`;
    return `locator(${quote(id ? `#${escape(id)}` : cssPath)})`;
  }
  function quote(text2) {
    return `'${(text2 ?? "").replace(/['\\]/g, "\\$&").replace(/\s/g, " ")}'`;
  }

  // packages/capture/src/sources.ts
  var FRAMES = 3;
  var SCRIPTS = 20;
  var PATIENCE_MS3 = 2e3;
  var FILE_MB = 16;
  var PART_CHARS = 1e6;
  var LOOPBACK = /^(127\.|\[::1\])|(^|\.)localhost$/;
  function scriptsOf(stack) {
    if (LOOPBACK.test(location.hostname)) return [];
    const scripts = (stack.match(/https?:\/\/.+?(?=:\d+:\d+)/g) ?? []).slice(0, FRAMES);
    return scripts.filter((url) => {
      if (!url.startsWith(`${location.origin}/`) || askedFor.has(url) || askedFor.size > SCRIPTS) return false;
      askedFor.add(url);
      return true;
    });
  }
  async function readSource(url) {
    const type = "gasoline-source";
    try {
      const map = await readMapOf(url);
      const parts = Math.ceil(map.length / PART_CHARS) || 1;
      return Array.from({ length: parts }, (_, part) => ({ type, url, map: map.slice(part * PART_CHARS, (part + 1) * PART_CHARS), part, parts }));
    } catch (error) {
      return [{ type, url, error: String(error) }];
    }
  }
  async function readMapOf(script) {
    const text2 = await read(script);
    const named = [...text2.matchAll(/\/\/[#@] ?sourceMappingURL=(\S+)\s*$/gm)].at(-1)?.[1];
    if (named === void 0) throw new Error("no source map is named");
    const { href, origin, protocol } = new URL(named, script);
    if (protocol !== "data:" && origin !== location.origin) throw new Error("the source map is elsewhere");
    return read(href);
  }
  async function read(url) {
    askedFor.add(url);
    const request = { cache: "force-cache", signal: AbortSignal.timeout(PATIENCE_MS3) };
    const { ok, status, body } = await nativeFetch(url, bare(request));
    if (!ok || !body) throw new Error(`${url} answered ${status}`);
    const { text: text2, isCut } = await readBeginning(body, FILE_MB * 1e6, PATIENCE_MS3);
    if (isCut || text2 === null) throw new Error(`over ${FILE_MB} MB or ${PATIENCE_MS3} ms`);
    return text2;
  }

  // packages/capture/src/companion.ts
  var companion = {
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
    writeScript
  };

  // packages/capture/src/transports/binding.ts
  var AT_ONCE2 = 6;
  var PAUSE_MS2 = 500;
  function bindingTransport(binding) {
    const write = (...batches) => batches.map(({ to, body }) => to.address + body).join("\n");
    const send = async (...batches) => void await binding(write(...batches));
    return {
      atOnce: AT_ONCE2,
      pauseMs: PAUSE_MS2,
      leavesEarly: true,
      send,
      write,
      sendLast(batches) {
        void quietlyLater(() => send(...batches));
        return batches;
      }
    };
  }

  // packages/capture/src/transports/post.ts
  var PATIENCE_MS4 = 5e3;
  var KEPT_CHARS = 2e4;
  var TOO_MANY = 429;
  var SERVER_FAILURE2 = 500;
  function postTransport(baseUrl, token) {
    const query = token === null ? "" : `?token=${encodeURIComponent(token)}`;
    const sendBeacon = navigator.sendBeacon?.bind(navigator);
    return {
      async send({ to, body }) {
        const request = {
          method: "POST",
          body,
          // A string goes as text/plain, which needs no preflight; the server reads JSON whatever the type says.
          credentials: "omit",
          // Not beside beacons: the browser takes 64 KiB of the two together.
          keepalive: !sendBeacon && body.length < KEPT_CHARS,
          signal: AbortSignal.timeout(PATIENCE_MS4)
        };
        const { status } = await nativeFetch(baseUrl + to.address + query, bare(request));
        if (status === TOO_MANY || status >= SERVER_FAILURE2) throw new Error();
      },
      sendLast: (batches) => batches.filter(({ to, body }) => sendBeacon?.(baseUrl + to.address + query, body))
    };
  }

  // packages/capture/src/script.ts
  var DEFAULT_HOST = "127.0.0.1";
  var DEFAULT_PORT = "7890";
  function setting(name) {
    return get(window, name);
  }
  function text(name) {
    const value = setting(`__GASOLINE_${name}`);
    return isText(value) || typeof value === "number" ? String(value) : null;
  }
  function aiContext() {
    const asked = setting("__GASOLINE_AI_CONTEXT");
    const flag = (name, usual) => Boolean(at(asked, name) ?? usual);
    return { enabled: asked !== false, sourceSnippets: flag("sourceSnippets", true), componentTree: flag("componentTree", true), stateSnapshot: flag("stateSnapshot", false) };
  }
  function greet() {
    const metadata = { testId: text("TEST_ID"), captureVersion: "0.1.0" };
    return logEntry({ level: "info", type: "gasoline-ci", message: "[gasoline-ci] Capture initialized", metadata });
  }
  function start() {
    if (setting("__gasoline") !== void 0) return;
    const host = text("HOST") ?? DEFAULT_HOST;
    const port = text("PORT") ?? DEFAULT_PORT;
    const own = new Set([host, DEFAULT_HOST, "localhost"].map((name) => `${name}:${port}`));
    const binding = setting("__gasolineSend");
    const capture = startCapture({
      version: "0.1.0",
      transport: isCallable(binding) ? bindingTransport(binding) : postTransport(`http://${host}:${port}`, text("TOKEN")),
      all: text("CAPTURE_MODE") === "all",
      testId: () => text("TEST_ID"),
      greeting: () => isBlank() ? null : greet(),
      aiContext: aiContext(),
      companion: (use) => use(companion),
      isOwn: (url) => own.has(/^\w+:\/\/([^/?#]*)/.exec(url)?.[1] ?? "")
    });
    Object.defineProperty(window, "__gasoline", bare({ get: () => capture.api, configurable: true }));
  }
  quietly(start);
})();
