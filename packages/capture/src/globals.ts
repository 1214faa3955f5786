// Names that the minified bundles use often, taken before the page can replace what they stand for.

export const {Array, ArrayBuffer, Element, Error, HTMLInputElement, Map, Math, Number, Object, RegExp, Set, String, WebSocket, XMLHttpRequest, location, performance, window} = self;
