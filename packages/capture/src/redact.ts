// Secrets out before anything leaves the page. The server applies the same rules again, all of them;
// what is left to it alone are those that need a second look at the value.

import {onFirstUse} from './lazy';
import {HEADER_NAMES, NAME_RULES, NAME_TAIL, SENSITIVE_INPUT_TYPES, SENSITIVE_INPUT_WORDS} from './rules';

export const INPUT_MARK = '[redacted]';

const SHORTEST_SHOWN = 24;
const FULLY_HIDDEN = /^(password|pin|one-time-code|card|ssn)/;

// The rules say `~` for what may stand between two words, and `%` where a group begins.
function pattern(source: string, flags: string = 'i'): RegExp {
  return new RegExp(source.replaceAll('~', '[_-]?').replaceAll('%', '(?:'), flags);
}

// Each is its kind and its pattern; with a star, only a whole name counts.
const nameRules = onFirstUse(() => NAME_RULES.split(' ').map((line): [string, string] => {
  const [kind = '', rule = ''] = line.split('=');
  return [kind, rule];
}));

// Made when the first text is looked at: a page's first script should not wait for it.
const patterns = onFirstUse(() => {
  const names = nameRules().map(([kind, rule]) => (kind.startsWith('*') ? '(?<![\\w$.-])' : '') + `(?:${rule})`).join('|');
  const name = `(?<name>(?:${names})${NAME_TAIL})`;
  return {
    anyName: pattern(names),
    wholeName: pattern(`(?:${names}|${HEADER_NAMES})$`),
    // "password":"...", 'password':'...', \"password\":\"...\", and numbers and booleans for values.
    inJson: pattern(
      `${name}(?<quote>\\\\*["'])(?<colon>\\s*:\\s*)(?:(?<open>["'])(?<text>(?:[^"'\\\\]|\\\\.)*)|(?<escaped>\\\\+["'])(?<inner>[^"'\\\\]*)|(?<literal>-?\\d[\\d.eE+-]*|true|false))`,
      'gi',
    ),
    // password=..., password: ...
    // Not inside a mark of our own, which names its kind: [redacted:password:***].
    inText: pattern(`(?<!redacted:)${name}(?<joint>\\s?[:=]\\s?)(?<value>[^\\s&#;,"'<>\\\\\\[{(]{3,})`, 'gi'),
    inputTypes: pattern(`^(?:${SENSITIVE_INPUT_TYPES})$`),
    inputWords: pattern(SENSITIVE_INPUT_WORDS),
  };
});
const BEARER = /\b((?:bearer|basic)\s+)([\w.~+/=-]{16,})/gi;

/** Whether what bears this name, a header or a field, is not for others. */
export function isSecretName(name: string): boolean {
  return patterns().wholeName.test(name);
}

/** The text with secrets replaced by marks that say what was there. */
export function redactText(text: string): string {
  if (text.length < 8) return text;
  const {anyName, inJson, inText} = patterns();
  const redacted = anyName.test(text) ? text.replace(inJson, redactPair).replace(inText, redactPair) : text;
  return redacted.replace(BEARER, (_, scheme: string, value: string) => scheme + mark(/^be/i.test(scheme) ? 'bearer-token' : 'basic-credentials', value));
}

export function isSensitiveInput(element: Element): boolean {
  const says = (attribute: string): string => element.getAttribute(attribute) ?? '';
  const {inputTypes, inputWords} = patterns();
  return inputTypes.test(says('type')) || ['autocomplete', 'name', 'id', 'data-testid'].some(attribute => inputWords.test(says(attribute)));
}

function redactPair(matched: string, ...rest: unknown[]): string {
  const {name = '', text, inner, literal, value, quote = '"', colon = ':'} = groupsOf(rest);
  const secret = text ?? inner ?? literal ?? value ?? '';
  if (/^(\[redacted.*|\**|null|undefined)$/is.test(secret)) return matched;
  const [found = 'secret'] = nameRules().find(([, rule]) => pattern(`(?:${rule})${NAME_TAIL}$`).test(name)) ?? [];
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
