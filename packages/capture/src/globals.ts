// Names that the minified bundles use often, taken before the page can replace what they stand for. None of elements:
// browsers make those when they are first named, which takes a tenth of our start.

export const {Array, ArrayBuffer, Error, Map, Math, Number, Object, RegExp, Set, String, WebSocket, XMLHttpRequest, document, location, performance, window} = self;
