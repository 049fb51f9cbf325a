/**
 * Storage of the embedded chat: the tab's session storage, which outlasts navigation within the site and ends with
 * the tab. The full page uses local storage instead.
 */

/** The session storage; an in-memory one if the browser forbids storage to frames. */
export function frameStorage(open: () => Storage = () => window.sessionStorage): Storage {
  try {
    const store = open();
    store.getItem("");
    return store;
  } catch {
    return new MemoryStorage();
  }
}

class MemoryStorage implements Storage {
  readonly #items = new Map<string, string>();

  get length(): number {
    return this.#items.size;
  }

  key(index: number): string | null {
    return [...this.#items.keys()][index] ?? null;
  }

  getItem(key: string): string | null {
    return this.#items.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.#items.set(key, value);
  }

  removeItem(key: string): void {
    this.#items.delete(key);
  }

  clear(): void {
    this.#items.clear();
  }
}
