// Secrets out before anything leaves the page. The server applies the same rules again, all of them;
// what is left to it alone are those that need a second look at the value.

import {onFirstUse} from './lazy';
import {HEADER_NAMES, NAME_RULES, NAME_TAIL, SENSITIVE_INPUT_TYPES, SENSITIVE_INPUT_WORDS, TELLING_WORDS} from './rules';

export const INPUT_MARK = '[redacted]';

const SHORTEST_SHOWN = 24;
const FULLY_HIDDEN = /^(password|pin|one-time-code|card|ssn)/;

// The rules say `~` for what may stand between two words, and `%` where a group begins.
function pattern(source: string): RegExp {
  return new RegExp(source.replaceAll('~', '[_-]?').replaceAll('%', '(?:'));
}

/** Whether a text has what a rule looks for, in whatever case: a browser learns a rule for small letters in half the time. */
function has(text: string, rule: RegExp): boolean {
  return rule.test(text.toLowerCase());
}

// Each rule is a kind and how a name ends; with a star, only a whole name counts. A browser learns each when it is first needed,
// which takes it a while: a name is asked about by itself, and many rules are never needed.
const nameRules = onFirstUse(() =>
  NAME_RULES.split(' ').map(line => {
    const [, star, kind = '', rule] = /(\*?)(.*)=(.*)/.exec(line) ?? [];
    return {kind, ending: onFirstUse(() => pattern(`${star && '^'}(?:${rule})$`))};
  }),
);
const nameTail = onFirstUse(() => pattern(`${NAME_TAIL}$`));
// "password":"...", 'password':'...', \"password\":\"...\", and numbers and booleans for values.
const QUOTED = /(?<![\w$.-])([\w$.-]+)(\\*["'])(\s*:\s*)/g;
const QUOTED_VALUE = /["']((?:[^"'\\]|\\.)*)|\\+["']([^"'\\]*)|(-?\d[\d.e+-]*|true|false)/iy;
// password=..., password: ...
// Not inside a mark of our own, which names its kind: [redacted:password:***].
const PLAIN = /(?<![\w$.-]|redacted:)([\w$.-]+)()(\s?[:=]\s?)/g;
const PLAIN_VALUE = /([^\s&#;,"'<>\\[{(]{3,})/y;
const headerNames = onFirstUse(() => pattern(`(?:${HEADER_NAMES})$`));
const inputTypes = onFirstUse(() => pattern(`^(?:${SENSITIVE_INPUT_TYPES})$`));
const inputWords = onFirstUse(() => pattern(SENSITIVE_INPUT_WORDS));
const BEARER = /\b((?:bearer|basic)\s+)([\w.~+/=-]{16,})/gi;

const tellingWords = onFirstUse(() => TELLING_WORDS.split(' '));

/** Whether any rule can find something: of all that is captured little can, and a browser looks for a word faster than it learns a rule. */
export function maySaySecret(text: string): boolean {
  const small = text.toLowerCase();
  return tellingWords().some(word => small.includes(word));
}

/** Whether what bears this name, a header or a field, is not for others. */
export function isSecretName(name: string): boolean {
  return maySaySecret(name) && (has(name, headerNames()) || kindOf(name) !== undefined);
}

/** What kind of secret bears a name. */
function kindOf(name: string): string | undefined {
  return nameRules().find(({ending}) => has(name, ending()))?.kind;
}

/** The text with secrets replaced by marks that say what was there. */
export function redactText(text: string): string {
  if (text.length < 8 || !maySaySecret(text)) return text;
  const redacted = redactPairs(redactPairs(text, QUOTED, QUOTED_VALUE), PLAIN, PLAIN_VALUE);
  return redacted.replace(BEARER, (_, scheme: string, value: string) => scheme + mark(/^be/i.test(scheme) ? 'bearer-token' : 'basic-credentials', value));
}

/** Of all that has a name before it, what has the name of a secret. What has another name may have a secret in it. */
function redactPairs(text: string, names: RegExp, values: RegExp): string {
  let redacted = '';
  let end = 0;
  for (const {0: named, 1: name = '', 2: quote = '', index} of text.matchAll(names)) {
    const start = index + named.length;
    if (index < end || !maySaySecret(name)) continue;
    const kind = kindOf(name.toLowerCase().replace(nameTail(), ''));
    values.lastIndex = start;
    const [value = '', quoted, inner, literal] = (kind && values.exec(text)) || [];
    const secret = quoted ?? inner ?? literal ?? '';
    if (!kind || /^(\[redacted.*|\**|null|undefined)$/is.test(secret)) continue;
    redacted += text.slice(end, start);
    end = start + value.length;
    redacted += literal ? `${quote}[redacted:${kind}:${/^[tf]/i.test(literal) ? 'boolean' : 'number'}]${quote}` : value.slice(0, value.length - secret.length) + mark(kind, secret);
  }
  return redacted + text.slice(end);
}

export function isSensitiveInput(element: Element): boolean {
  const says = (attribute: string): string => element.getAttribute(attribute) ?? '';
  return has(says('type'), inputTypes()) || ['autocomplete', 'name', 'id', 'data-testid'].some(attribute => has(says(attribute), inputWords()));
}

function mark(kind: string, value: string): string {
  const hidden = value.length < SHORTEST_SHOWN || FULLY_HIDDEN.test(kind);
  return `[redacted:${kind}:${hidden ? '***' : `${harmless(value.slice(0, 6))}...${harmless(value.slice(-3))}`}]`;
}

function harmless(text: string): string {
  return text.replace(/[^\w.+-]/g, '*');
}
