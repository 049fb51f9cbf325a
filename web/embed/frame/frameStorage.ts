/**
 * Where the embedded chat keeps what it has to find again when the site loads its next page: the tab's own storage
 * at the chat's origin, gone with the tab. The page that is opened directly keeps its things elsewhere.
 */

/** The tab's storage; where the browser forbids it to frames, one that lasts as long as the page. */
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
  readonly #kept = new Map<string, string>();

  get length(): number {
    return this.#kept.size;
  }

  key(index: number): string | null {
    return [...this.#kept.keys()][index] ?? null;
  }

  getItem(key: string): string | null {
    return this.#kept.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.#kept.set(key, value);
  }

  removeItem(key: string): void {
    this.#kept.delete(key);
  }

  clear(): void {
    this.#kept.clear();
  }
}
