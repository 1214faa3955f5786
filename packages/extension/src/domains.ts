// Which pages the user wants captured, by their domains.

/**
 * Whether a page is among the domains. `example.com` stands for its subdomains too, a port only for
 * itself; no domains at all stand for every page.
 */
export function isWanted(origin: string, domains: readonly string[]): boolean {
  if (domains.length === 0) return true;
  const page = parse(origin);
  return page !== undefined && domains.some(domain => covers(domain, page));
}

/** One domain a line, as typed: addresses become their hosts, empty lines go. */
export function readDomains(lines: string): string[] {
  const domains = lines.split(/[\n,]/).map(clean).filter(domain => domain !== '');
  return [...new Set(domains)];
}

function clean(line: string): string {
  return line
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^\*\./, '')
    .replace(/[/?#].*$/, '');
}

function covers(domain: string, page: URL): boolean {
  const wanted = clean(domain);
  if (wanted === '') return false;
  if (/:\d+$/.test(wanted)) return page.host === wanted;
  return page.hostname === wanted || page.hostname.endsWith(`.${wanted}`);
}

function parse(origin: string): URL | undefined {
  try {
    return new URL(origin);
  } catch {
    return undefined;
  }
}
