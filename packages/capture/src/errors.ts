// What went wrong in the page: exceptions, rejections, files that did not load, blocked content.

import {logEntry} from './logEntry';
import {attributeOf, isElement} from './native';
import {absolute} from './network';
import {listen, stopAll, type Stop} from './patch';
import {redactText} from './redact';
import {cut, messageOf, serialize, textAt} from './serialize';
import type {LogEntry} from './wire';

/** Report what went wrong; what our own requests run into is not the page's. */
export function captureErrors(emit: (entry: LogEntry) => void, isOwn: (url: string) => boolean): Stop {
  return stopAll([
    listen('error', event => {
      if (event instanceof ErrorEvent) emit(describeException(event));
      else if (isElement(event.target)) emit(describeMissingResource(event.target));
    }),
    listen('unhandledrejection', event => {
      if ('reason' in event) emit(describeRejection(event.reason));
    }),
    listen('securitypolicyviolation', event => {
      if (isViolation(event) && !isOwn(event.blockedURI)) emit(describeBlocked(event));
    }),
  ]);
}

function isViolation(event: Event): event is SecurityPolicyViolationEvent {
  return 'blockedURI' in event;
}

function describeException({message, error, filename, lineno, colno}: ErrorEvent): LogEntry {
  return logEntry({
    type: 'exception',
    message: cut(message || 'Unknown error'),
    args: [serialize(error)],
    stack: textAt(error, 'stack'),
    filename,
    lineno,
    colno,
  });
}

function describeRejection(reason: unknown): LogEntry {
  return logEntry({
    type: 'exception',
    source: 'unhandledrejection',
    message: messageOf(reason ?? '') || 'Unhandled Promise rejection',
    args: [serialize(reason)],
    stack: textAt(reason, 'stack'),
  });
}

function describeMissingResource(element: Element): LogEntry {
  // A picture says which of its addresses it tried.
  const address = textAt(element, 'currentSrc') || attributeOf(element, 'src') || attributeOf(element, 'href') || attributeOf(element, 'data');
  const tag = element.localName;
  const filename = address ? redactText(absolute(address)) : '';
  return logEntry({type: 'resource', message: `Failed to load <${tag}>: ${filename}`, filename, metadata: {tag, resource: filename}});
}

function describeBlocked({effectiveDirective: directive, blockedURI, disposition, sourceFile, lineNumber, columnNumber}: SecurityPolicyViolationEvent): LogEntry {
  const blocked = redactText(blockedURI);
  return logEntry({
    level: disposition === 'report' ? 'warn' : 'error',
    type: 'csp',
    message: `Blocked by Content Security Policy (${directive}): ${blocked || 'inline'}`,
    filename: sourceFile ?? '',
    lineno: lineNumber,
    colno: columnNumber,
    metadata: {directive, blocked, disposition},
  });
}
