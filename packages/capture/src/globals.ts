// Names that the minified bundles use often, taken before the page can replace what they stand for. None of elements:
// browsers make those when they are first named, which takes a tenth of our start; `location` and `navigator` likewise.
// Nor the document: a popup's first one gives way to another in the same window.

export const {Array, ArrayBuffer, Error, Map, Math, Number, Object, RegExp, Set, String, WebSocket, XMLHttpRequest, performance, window} = self;
