// Functions that run inside a page, in the extension's world. Chrome sends their text there, so each
// stands alone: nothing from outside its own braces.

export function queryDom(selector: string, sensitiveTypes: string, sensitiveWords: string) {
  const MATCHES = 50;
  const CHILDREN = 10;
  const ATTRIBUTES = 20;
  const STYLES = ['display', 'visibility', 'position', 'opacity', 'overflow', 'pointer-events', 'color', 'background-color', 'font-size', 'z-index'];

  // The beginning of what an element says, on one line: it may hold the whole page.
  function textOf(element: Element, chars: number): string {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let text = '';
    while (text.length <= chars && texts.nextNode()) {
      text = (text + (texts.currentNode.nodeValue ?? '').slice(0, 20 * chars)).replace(/\s+/g, ' ').trimStart();
    }
    return text.slice(0, chars).trimEnd();
  }

  function isSensitive(element: Element): boolean {
    if (new RegExp(`^(?:${sensitiveTypes})$`, 'i').test(element.getAttribute('type') ?? '')) return true;
    const words = new RegExp(sensitiveWords, 'i');
    return ['autocomplete', 'name', 'id', 'data-testid'].some(name => words.test(element.getAttribute(name) ?? ''));
  }

  function attributesOf(element: Element): Record<string, string> {
    const attributes: Record<string, string> = {};
    for (const {name, value} of [...element.attributes].slice(0, ATTRIBUTES)) attributes[name] = value.slice(0, 200);
    if ('value' in attributes && isSensitive(element)) attributes['value'] = '[redacted]';
    return attributes;
  }

  function describe(element: Element) {
    const {x, y, width, height} = element.getBoundingClientRect();
    const computed = getComputedStyle(element);
    return {
      tag: element.tagName.toLowerCase(),
      text: textOf(element, 500),
      visible: element.checkVisibility({opacityProperty: true, visibilityProperty: true}) && width > 0 && height > 0,
      attributes: attributesOf(element),
      boundingBox: {x, y, width, height},
      styles: Object.fromEntries(STYLES.map(name => [name, computed.getPropertyValue(name)])),
      children: [...element.children].slice(0, CHILDREN).map(child => ({
        tag: child.tagName.toLowerCase(),
        text: textOf(child, 80),
        attributes: attributesOf(child),
      })),
    };
  }

  try {
    const found = document.querySelectorAll(selector);
    const matches = [...found].slice(0, MATCHES).map(describe);
    return {url: location.href, title: document.title, matchCount: found.length, returnedCount: matches.length, matches};
  } catch (error) {
    return {error: 'dom_query_failed', message: `${error instanceof Error ? error.message : String(error)} Pass a CSS selector, such as "main button".`};
  }
}

export function pageInfo() {
  const LISTED = 50;
  const count = (selector: string): number => document.querySelectorAll(selector).length;
  const names = (form: HTMLFormElement): string[] =>
    [...form.elements].slice(0, LISTED).map(field => field.getAttribute('name') || field.id || field.tagName.toLowerCase());
  return {
    url: location.href,
    title: document.title,
    viewport: {width: innerWidth, height: innerHeight},
    scroll: {x: Math.round(scrollX), y: Math.round(scrollY)},
    documentHeight: document.documentElement.scrollHeight,
    headings: [...document.querySelectorAll('h1,h2,h3,h4,h5,h6')]
      .slice(0, LISTED)
      .map(heading => (heading.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 200)),
    links: count('a[href]'),
    images: count('img'),
    interactiveElements: count('button,input,select,textarea,a[href],[tabindex],[role=button],[contenteditable]'),
    forms: [...document.forms].slice(0, LISTED).map(form => ({
      ...(form.id ? {id: form.id} : {}),
      ...(form.getAttribute('action') ? {action: form.action} : {}),
      fields: names(form),
    })),
  };
}

/** Needs axe-core in the same world. */
export async function runAxe(scope: string, tags: string[]) {
  const NODES = 10;
  const HTML_CHARS = 200;
  try {
    const refuse = (message: string) => ({error: 'a11y_audit_failed', message});
    if (scope && !document.querySelector(scope)) return refuse(`No element matches ${scope}: pass another scope, or none for the whole page.`);
    if (tags.length > 0 && axe.getRules(tags).length === 0) {
      return refuse(`No rule has the tag ${tags.join(' or ')}: wcag2a, wcag2aa, wcag21aa and best-practice are some that rules have.`);
    }
    const results = await axe.run(scope || document, {
      // Frames would be asked by window messages, and the page would see those.
      iframes: false,
      resultTypes: ['violations'],
      ...(tags.length > 0 ? {runOnly: {type: 'tag', values: tags}} : {}),
    });
    return {
      violations: results.violations.map(({id, impact, description, helpUrl, tags: wcag, nodes}) => ({
        id,
        impact,
        description,
        helpUrl,
        wcag: wcag.filter(tag => tag.startsWith('wcag')),
        nodes: nodes.slice(0, NODES).map(({target, html, failureSummary}) => ({
          selector: target.map(String).join(' '),
          html: html.slice(0, HTML_CHARS),
          failureSummary,
        })),
        ...(nodes.length > NODES ? {nodeCount: nodes.length} : {}),
      })),
      summary: {
        violations: results.violations.length,
        passes: results.passes.length,
        incomplete: results.incomplete.length,
        inapplicable: results.inapplicable.length,
      },
    };
  } catch (error) {
    return {error: 'a11y_audit_failed', message: error instanceof Error ? error.message : String(error)};
  }
}

export function hasAxe(): boolean {
  return 'axe' in globalThis;
}

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Measured {
  /** The element that was asked for, in the whole document; null when it cannot be seen. */
  place: Area | null;
  page: Area;
  /** Pixels of the screen for one of the page's: its density times the zoom. */
  pixelRatio: number;
  viewHeight: number;
}

/** Where an element is, and how large the whole page. */
export function measurePage(selector: string): Measured {
  const {scrollWidth, scrollHeight} = document.scrollingElement ?? document.documentElement;
  const page = {x: 0, y: 0, width: scrollWidth, height: scrollHeight};
  const found = selector ? document.querySelector(selector)?.getBoundingClientRect() : undefined;
  const isVisible = found !== undefined && found.width > 0 && found.height > 0;
  const place = isVisible ? {x: found.left + scrollX, y: found.top + scrollY, width: found.width, height: found.height} : null;
  return {place, page, pixelRatio: devicePixelRatio, viewHeight: innerHeight};
}
