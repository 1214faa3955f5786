// console's format specifiers: what a developer sees in the console is what an agent reads.

import {isText} from './native';
import {toText} from './serialize';

const SPECIFIER = /%[sdifoOc%]/g;

/**
 * The message of a console call: `%s`, `%d`, `%i`, `%f`, `%o`, `%O` filled in, `%c` left out.
 * `plain` holds the arguments serialized, as many as are told.
 */
export function formatMessage(args: readonly unknown[], plain: readonly unknown[]): string {
  const [template] = plain;
  const text = (index: number): string => toText(args[index], plain[index]);
  let used = 0;
  let message = '';
  if (isText(args[0]) && isText(template) && plain.length > 1 && template.includes('%')) {
    message = template.replace(SPECIFIER, specifier => {
      if (specifier === '%%') return '%';
      if (used + 1 >= plain.length) return specifier;
      return fill(specifier, args[++used], text(used));
    });
    used++;
  }
  for (let index = used; index < plain.length; index++) message += (index > 0 ? ' ' : '') + text(index);
  return message;
}

function fill(specifier: string, value: unknown, text: string): string {
  switch (specifier) {
    case '%c':
      return '';
    case '%d':
    case '%i':
      return typeof value === 'bigint' ? text : String(Number.parseInt(text, 10));
    case '%f':
      return String(Number.parseFloat(text));
    default:
      return text;
  }
}
