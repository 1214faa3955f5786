// What the user does, in a form that a script can repeat.

import {attributeOf, cancelLater, epochNow, isElement, isField, isInput, isSelect, isoTime, later, now, pageUrl} from './native';
import {listen, quietly, stopAll, type Stop} from './patch';
import {INPUT_MARK, isSensitiveInput, redactText} from './redact';
import {CLICKABLE, cssPathOf, escape, selectorsOf, textOf, withAttribute} from './selectors';
import type {EnhancedAction} from './wire';

const VALUE_CHARS = 100;
const TEXT_CHARS = 100;
const CHOICES = 100;
const SCROLL_MS = 500;
const TYPING_PAUSE_MS = 1000;
const KEYS = new Set(['Enter', 'Escape', 'Tab']);
const FRAME_NAMES = ['id', 'name', 'title', 'src'];
const NOT_TYPED = /^(checkbox|radio|file|submit|button|reset|image)$/;

export interface ActionCapture {
  undo: Stop;
  /** Report what is still being typed. */
  finish(): void;
}

/** What the user touched last, and when: an error soon after is likely its doing. */
export const lastActed: {element: Element | null; atMs: number} = {element: null, atMs: -Infinity};

type Tell = (type: string, fields: EnhancedAction, event?: Event) => void;

export function captureActions(emit: (action: EnhancedAction) => void): ActionCapture {
  let count = 0;
  const tell: Tell = (type, fields, event) => emit({...newAction(type, event), actionId: `act_${epochNow()}_${++count}`, ...fields});
  const typing = followTyping(tell);
  const scrolling = throttleScroll(tell);
  // A click that the browser derives from another (from a label's on its field, at the same time) or
  // from the Enter key would be done twice by a script.
  let labelled: Element | null | undefined;
  let labelledAt = 0;
  let isEnterHeld = false;
  let dragged: EnhancedAction | null = null;
  // Whatever is done next ends the typing.
  const on = (type: string, react: (element: Element | null, event: Event) => void): Stop =>
    listen(type, event => {
      typing.finish();
      react(elementOf(event), event);
    });
  const undo = stopAll([
    on('click', (clicked, event) => {
      if (!clicked || !(event instanceof MouseEvent)) return;
      if ((clicked === labelled && event.timeStamp === labelledAt) || (isEnterHeld && event.detail === 0)) return;
      labelled = clicked.closest('label')?.control;
      labelledAt = event.timeStamp;
      const element = clicked.closest(CLICKABLE) ?? clicked;
      const text = textOf(element, TEXT_CHARS);
      tell('click', {...pointAt(element), position: {x: event.clientX, y: event.clientY}, text: text || undefined}, event);
    }),
    listen('input', event => typing.see(elementOf(event))),
    on('change', element => {
      if (isSelect(element)) tell('select', {...pointAt(element), ...describeChoice(element)});
      else if (isInput(element) && element.type === 'file') tell('input', {...pointAt(element), ...describeInput(element)});
    }),
    listen('keydown', event => {
      if (!(event instanceof KeyboardEvent) || !KEYS.has(event.key)) return;
      typing.finish();
      isEnterHeld = event.key === 'Enter';
      tell('keypress', {...pointAt(elementOf(event)), key: event.key}, event);
    }),
    listen('keyup', () => (isEnterHeld = false)),
    on('submit', form => {
      // By its attributes: a field may be named `action` or `method`.
      if (form instanceof HTMLFormElement) tell('submit', {...pointAt(form), action: attributeOf(form, 'action') ?? '', method: (attributeOf(form, 'method') ?? 'GET').toUpperCase()});
    }),
    // A field scrolls by itself under what is typed into it.
    listen('scroll', event => isInput(event.target) || scrolling.see(event.target)),
    on('dragstart', element => void (dragged = element && pointAt(element))),
    on('drop', element => {
      if (dragged && element) tell('drag', {...dragged, drop: selectorsOf(element)});
      dragged = null;
    }),
    typing.finish,
    scrolling.undo,
  ]);
  return {undo, finish: typing.finish};
}

/** What every action has: when, which may have been before anybody heard of it, where, and how far the page was scrolled. */
export function newAction(type: string, event?: Event, agoMs: number = event ? now() - event.timeStamp : 0): EnhancedAction {
  const timestamp = Math.round(epochNow() - agoMs);
  // A click knows it; whoever else asks makes the browser lay the page out first. One by a key is nowhere.
  const [x, y] = event instanceof MouseEvent && event.detail ? [event.pageX - event.clientX, event.pageY - event.clientY] : [scrollX, scrollY];
  return {type, timestamp, ts: isoTime(timestamp), url: redactText(pageUrl()), scroll: {x: Math.round(x), y: Math.round(y)}, frame: window === top ? undefined : framePath(window)};
}

/** How the page points at the frame of a window, through the frames around it; of one from elsewhere only the address is known. */
function framePath(view: Window): string {
  const frame = quietly(() => view.frameElement);
  if (!frame) return `iframe[src*="${escape(view.location.pathname)}"]`;
  const name = FRAME_NAMES.find(attribute => attributeOf(frame, attribute));
  const around = view.parent === top ? '' : `${framePath(view.parent)} >> `;
  return around + (name ? `iframe${withAttribute(frame, name)}` : cssPathOf(frame));
}

/** One action for a run of typing in one field: what counts is what it says in the end. */
function followTyping(tell: Tell): {see(element: Element | null): void; finish(): void} {
  let field: Element | null = null;
  let action: EnhancedAction = {};
  let timer = 0;
  const finish = (): void => {
    cancelLater(timer);
    if (field) tell('input', action);
    field = null;
  };
  const see = (element: Element | null): void => {
    const typed = typedField(element);
    if (!typed) return;
    if (field !== typed) {
      finish();
      // From the first key on: what the page asks for while the user types is a consequence.
      action = {...newAction('input'), ...pointAt(typed)};
    }
    field = typed;
    // Now: the page may empty or remove the field as soon as it hears.
    action = {...action, ...describeInput(typed)};
    cancelLater(timer);
    timer = later(() => quietly(finish), TYPING_PAUSE_MS);
  };
  return {see, finish};
}

function typedField(element: Element | null): Element | null {
  if (isInput(element)) return NOT_TYPED.test(element.type) ? null : element;
  return element?.closest('textarea,[contenteditable]') ?? null;
}

function throttleScroll(tell: Tell): {see(target: EventTarget | null): void; undo: Stop} {
  let timer: number | undefined;
  let scrolled: EventTarget | null = null;
  let begun: EnhancedAction = {};
  const report = (): void => {
    timer = undefined;
    const element = isElement(scrolled) ? scrolled : null;
    tell('scroll', {
      ...begun,
      scrollX: Math.round(element ? element.scrollLeft : scrollX),
      scrollY: Math.round(element ? element.scrollTop : scrollY),
      target: 'window',
      ...pointAt(element),
    });
  };
  const see = (target: EventTarget | null): void => {
    scrolled = target;
    if (timer === undefined) begun = newAction('scroll');
    timer ??= later(() => quietly(report), SCROLL_MS);
  };
  return {see, undo: () => timer !== undefined && cancelLater(timer)};
}

function elementOf(event: Event): Element | null {
  // Inside a shadow root the event's own target is only the host; an event that is told later has nothing else.
  const [deepest = event.target] = event.composedPath();
  const element = isElement(deepest) ? deepest : null;
  lastActed.element = element;
  lastActed.atMs = now();
  return element;
}

export function pointAt(element: Element | null): EnhancedAction {
  if (!element) return {};
  const id = attributeOf(element, 'id');
  const classes = [...element.classList].slice(0, 2);
  return {selectors: selectorsOf(element), target: [element.localName + (id ? `#${id}` : ''), ...classes].join('.')};
}

function describeInput(element: Element): EnhancedAction {
  const files = isInput(element) && element.files ? [...element.files].map(file => file.name).join(', ') : '';
  const value = files || (isField(element) ? element.value : (element.textContent ?? ''));
  return {
    inputType: isField(element) ? element.type : 'contenteditable',
    value: isSensitiveInput(element) ? INPUT_MARK : redactText(value.slice(0, VALUE_CHARS)),
  };
}

function describeChoice({options, selectedOptions, value: selectedValue}: HTMLSelectElement): EnhancedAction {
  const chosen = [...selectedOptions].slice(0, CHOICES);
  const isOnly = (name: string): boolean => name.length <= VALUE_CHARS && [...options].filter(({value, label}) => value === name || label === name).length === 1;
  const names = chosen.flatMap(({value, label}) => [value, label].find(isOnly) ?? []);
  return {
    selectedValue: selectedValue.slice(0, VALUE_CHARS),
    selectedText: (chosen[0]?.text ?? '').slice(0, VALUE_CHARS),
    // By their places where names are not enough; unsaid where the value is.
    choices: names.length < chosen.length ? chosen.map(({index}) => index) : names.length === 1 && names[0] === selectedValue ? undefined : names,
  };
}
