// Nothing earlier than needed; a module of its own, because the extension's worker has no window.

/** Make something when it is first needed: what runs before the page's first script must be short. */
export function onFirstUse<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
