// Secrets out before anything leaves the page. The server applies the same rules again, all of them;
// what is left to it alone are those that need a second look at the value.

import {onFirstUse} from './lazy';
import {HEADER_NAMES, NAME_RULES, NAME_TAIL, SENSITIVE_INPUT_TYPES, SENSITIVE_INPUT_WORDS, TELLING_WORDS} from './rules';

export const INPUT_MARK = '[redacted]';

const SHORTEST_SHOWN = 24;
const FULLY_HIDDEN = /^(password|pin|one-time-code|card|ssn)/;

// The rules say `~` for what may stand between two words, and `%` where a group begins.
function pattern(source: string, flags?: string): RegExp {
  return new RegExp(source.replaceAll('~', '[_-]?').replaceAll('%', '(?:'), flags);
}

/** Whether a text has what a rule looks for, in whatever case: a browser learns a rule for small letters in half the time. */
function has(text: string, rule: RegExp): boolean {
  return rule.test(text.toLowerCase());
}

// Each is its kind and its pattern; with a star, only a whole name counts.
const nameRules = onFirstUse(() => NAME_RULES.split(' ').map((line): [string, string] => {
  const [kind = '', rule = ''] = line.split('=');
  return [kind, rule];
}));

// Each is made when it is first needed: a browser takes up to a millisecond to learn a long one.
const names = onFirstUse(() => nameRules().map(([kind, rule]) => (kind.startsWith('*') ? '(?<![\\w$.-])' : '') + `(?:${rule})`).join('|'));
const anyName = onFirstUse(() => pattern(names()));
const wholeName = onFirstUse(() => pattern(`(?:${names()})$`));
const pairs = onFirstUse(() => {
  const name = `(?<name>(?:${names()})${NAME_TAIL})`;
  return [
    // "password":"...", 'password':'...', \"password\":\"...\", and numbers and booleans for values.
    pattern(
      `${name}(?<quote>\\\\*["'])(?<colon>\\s*:\\s*)(?:(?<open>["'])(?<text>(?:[^"'\\\\]|\\\\.)*)|(?<escaped>\\\\+["'])(?<inner>[^"'\\\\]*)|(?<literal>-?\\d[\\d.eE+-]*|true|false))`,
      'gi',
    ),
    // password=..., password: ...
    // Not inside a mark of our own, which names its kind: [redacted:password:***].
    pattern(`(?<!redacted:)${name}(?<joint>\\s?[:=]\\s?)(?<value>[^\\s&#;,"'<>\\\\\\[{(]{3,})`, 'gi'),
  ];
});
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
  return maySaySecret(name) && (has(name, headerNames()) || (has(name, anyName()) && has(name, wholeName())));
}

/** The text with secrets replaced by marks that say what was there. */
export function redactText(text: string): string {
  if (text.length < 8 || !maySaySecret(text)) return text;
  const redacted = has(text, anyName()) ? pairs().reduce((left, pair) => left.replace(pair, redactPair), text) : text;
  return redacted.replace(BEARER, (_, scheme: string, value: string) => scheme + mark(/^be/i.test(scheme) ? 'bearer-token' : 'basic-credentials', value));
}

export function isSensitiveInput(element: Element): boolean {
  const says = (attribute: string): string => element.getAttribute(attribute) ?? '';
  return has(says('type'), inputTypes()) || ['autocomplete', 'name', 'id', 'data-testid'].some(attribute => has(says(attribute), inputWords()));
}

function redactPair(matched: string, ...rest: unknown[]): string {
  const {name = '', text, inner, literal, value, quote = '"', colon = ':'} = groupsOf(rest);
  const secret = text ?? inner ?? literal ?? value ?? '';
  if (/^(\[redacted.*|\**|null|undefined)$/is.test(secret)) return matched;
  const [found = 'secret'] = nameRules().find(([, rule]) => has(name, pattern(`(?:${rule})${NAME_TAIL}$`))) ?? [];
  const kind = found.replace('*', '');
  if (literal === undefined) return matched.slice(0, matched.length - secret.length) + mark(kind, secret);
  const type = /^[tf]/.test(literal) ? 'boolean' : 'number';
  return `${name}${quote}${colon}${quote}[redacted:${kind}:${type}]${quote}`;
}

function mark(kind: string, value: string): string {
  const hidden = value.length < SHORTEST_SHOWN || FULLY_HIDDEN.test(kind);
  return `[redacted:${kind}:${hidden ? '***' : `${harmless(value.slice(0, 6))}...${harmless(value.slice(-3))}`}]`;
}

function harmless(text: string): string {
  return text.replace(/[^\w.+-]/g, '*');
}

// Named groups come last.
function groupsOf(rest: readonly unknown[]): Record<string, string | undefined> {
  const named: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(rest.at(-1) ?? {})) named[name] = value;
  return named;
}
