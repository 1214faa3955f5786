// Secrets out before anything leaves the page. The server applies the same rules again, all of them;
// what is left to it alone are those that need a second look at the value.

import {HEADER_NAMES, NAME_RULES, NAME_TAIL, SENSITIVE_INPUT_TYPES, SENSITIVE_INPUT_WORDS} from './rules';

export const INPUT_MARK = '[redacted]';

const SHORTEST_SHOWN = 24;
const FULLY_HIDDEN = /^(password|pin|one-time-code|card|ssn)/;

const NAMES = NAME_RULES.map(([, pattern, whole]) => (whole ? '(?<![\\w$.-])' : '') + `(?:${pattern})`).join('|');
export const SENSITIVE_HEADERS = new RegExp(`(?:${NAMES}|${HEADER_NAMES})$`, 'i');
const NAME = `(?<name>(?:${NAMES})${NAME_TAIL})`;
// "password":"...", 'password':'...', \"password\":\"...\", and numbers and booleans for values.
const IN_JSON = new RegExp(
  `${NAME}(?<quote>\\\\*["'])(?<colon>\\s*:\\s*)(?:(?<open>["'])(?<text>(?:[^"'\\\\]|\\\\.)*)|(?<escaped>\\\\+["'])(?<inner>[^"'\\\\]*)|(?<literal>-?\\d[\\d.eE+-]*|true|false))`,
  'gi',
);
// password=..., password: ...
// Not inside a mark of our own, which names its kind: [redacted:password:***].
const IN_TEXT = new RegExp(`(?<!redacted:)${NAME}(?<joint>\\s?[:=]\\s?)(?<value>[^\\s&#;,"'<>\\\\\\[{(]{3,})`, 'gi');
const ANY_NAME = new RegExp(NAMES, 'i');
const BEARER = /\b((?:bearer|basic)\s+)([\w.~+/=-]{16,})/gi;

/** The text with secrets replaced by marks that say what was there. */
export function redactText(text: string): string {
  if (text.length < 8) return text;
  const redacted = ANY_NAME.test(text) ? text.replace(IN_JSON, redactPair).replace(IN_TEXT, redactPair) : text;
  return redacted.replace(BEARER, (_, scheme: string, value: string) => scheme + mark(/^be/i.test(scheme) ? 'bearer-token' : 'basic-credentials', value));
}

const INPUT_TYPES = new RegExp(`^(?:${SENSITIVE_INPUT_TYPES})$`, 'i');
const INPUT_WORDS = new RegExp(SENSITIVE_INPUT_WORDS, 'i');

export function isSensitiveInput(element: Element): boolean {
  const says = (attribute: string): string => element.getAttribute(attribute) ?? '';
  return INPUT_TYPES.test(says('type')) || ['autocomplete', 'name', 'id', 'data-testid'].some(attribute => INPUT_WORDS.test(says(attribute)));
}

function redactPair(matched: string, ...rest: unknown[]): string {
  const {name = '', text, inner, literal, value, quote = '"', colon = ':'} = groupsOf(rest);
  const secret = text ?? inner ?? literal ?? value ?? '';
  if (/^(\[redacted.*|\**|null|undefined)$/is.test(secret)) return matched;
  const [kind] = NAME_RULES.find(([, pattern]) => new RegExp(`(?:${pattern})${NAME_TAIL}$`, 'i').test(name)) ?? ['secret'];
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
