/**
 * Browser storage for one user. All of a user's data lies under one prefix, so that it can be removed at once
 * when they sign out or somebody else signs in.
 */

const PREFIX = "omniforge:user:";

/** An opened storage. Once its user's data is cleared, it accepts no more writes. */
interface StorageHandle {
  prefix: string;
  closed: boolean;
}

const handles = new Set<StorageHandle>();

/**
 * A user's storage. Values are JSON. Nothing is stored if the browser's storage is full or forbidden, or if the
 * user's data has been cleared: a response that arrives after signing out must leave no trace.
 */
export interface UserStorage {
  get<T>(name: string): T | null;
  /** Returns whether the value could be stored. */
  set(name: string, value: unknown): boolean;
  remove(name: string): void;
  /** The names that start with a prefix such as `thread:`. */
  keys(prefix?: string): string[];
}

export function userStorage(userKey: string, store: Storage = window.localStorage): UserStorage {
  const prefix = prefixOf(userKey);
  const handle: StorageHandle = { prefix, closed: false };
  handles.add(handle);
  return {
    get<T>(name: string): T | null {
      try {
        const text = store.getItem(prefix + name);
        return text === null ? null : (JSON.parse(text) as T);
      } catch {
        return null;
      }
    },
    set(name, value) {
      if (handle.closed) return false;
      try {
        store.setItem(prefix + name, JSON.stringify(value));
        return true;
      } catch {
        return false;
      }
    },
    remove(name) {
      try {
        store.removeItem(prefix + name);
      } catch {
        // A storage that can't be opened is empty.
      }
    },
    keys(start = "") {
      return keysWithPrefix(prefix + start, store).map((key) => key.slice(prefix.length));
    },
  };
}

/** Removes the data of all users. */
export function clearAllUsers(store: Storage = window.localStorage): void {
  clearUsers(() => true, store);
}

/** Removes the data of all users but this one. */
export function clearOtherUsers(userKey: string, store: Storage = window.localStorage): void {
  const own = prefixOf(userKey);
  clearUsers((key) => !key.startsWith(own), store);
}

function clearUsers(shouldClear: (key: string) => boolean, store: Storage): void {
  for (const handle of handles) {
    if (!shouldClear(handle.prefix)) continue;
    handle.closed = true;
    handles.delete(handle);
  }
  for (const key of keysWithPrefix(PREFIX, store)) if (shouldClear(key)) store.removeItem(key);
}

const prefixOf = (userKey: string): string => `${PREFIX}${encodeURIComponent(userKey)}:`;

function keysWithPrefix(prefix: string, store: Storage): string[] {
  try {
    return Array.from({ length: store.length }, (_, index) => store.key(index) ?? "").filter((key) =>
      key.startsWith(prefix),
    );
  } catch {
    return [];
  }
}
