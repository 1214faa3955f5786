// A value that outlives the worker: Chrome ends it after thirty idle seconds and starts it anew.

/** Read once, kept in memory, written on every change; changes happen one after the other. */
export class SessionValue<T> {
  #value: Promise<T> | undefined;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(
    readonly key: string,
    readonly understand: (stored: unknown) => T,
  ) {}

  read(): Promise<T> {
    this.#value ??= chrome.storage.session.get(this.key).then(stored => this.understand(stored[this.key]));
    return this.#value;
  }

  /** Change the value; resolves once the change is safe. */
  update(change: (value: T) => T): Promise<T> {
    const updated = this.#writing.then(async () => {
      const value = change(await this.read());
      this.#value = Promise.resolve(value);
      await chrome.storage.session.set({[this.key]: value});
      return value;
    });
    this.#writing = updated.catch(() => undefined);
    return updated;
  }
}
