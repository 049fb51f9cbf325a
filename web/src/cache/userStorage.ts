/**
 * What is kept in this browser for one user. Everything a user wrote or read lies under one prefix, so that
 * signing out, or somebody else signing in, removes all of it at once.
 */

const PREFIX = "omniforge:user:";

/** A corner that was opened; once its user is forgotten it takes nothing any more. */
interface StorageHandle {
  prefix: string;
  closed: boolean;
}

const handles = new Set<StorageHandle>();

/**
 * A user's corner of the browser's storage. Values are JSON; a full or forbidden storage keeps nothing. Nor does
 * that of a user who was forgotten since: an answer that comes after signing out must leave no trace.
 */
export interface UserStorage {
  get<T>(name: string): T | null;
  /** Whether it could be kept. */
  set(name: string, value: unknown): boolean;
  remove(name: string): void;
  /** The names kept under a beginning, e.g. `thread:`. */
  keys(beginning?: string): string[];
}

/** The corner of the user; nobody else's is read or written through it. */
export function userStorage(userKey: string, store: Storage = window.localStorage): UserStorage {
  const prefix = prefixOf(userKey);
  const corner: StorageHandle = { prefix, closed: false };
  handles.add(corner);
  return {
    get<T>(name: string): T | null {
      try {
        const kept = store.getItem(prefix + name);
        return kept === null ? null : (JSON.parse(kept) as T);
      } catch {
        return null;
      }
    },
    set(name, value) {
      if (corner.closed) return false;
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
        // Storage that can't be opened holds nothing.
      }
    },
    keys(beginning = "") {
      return keysUnder(prefix + beginning, store).map((key) => key.slice(prefix.length));
    },
  };
}

/** Removes what was kept for everybody. */
export function clearAllUsers(store: Storage = window.localStorage): void {
  clearUsers(() => true, store);
}

/** Removes what was kept for anybody but this user. */
export function clearOtherUsers(userKey: string, store: Storage = window.localStorage): void {
  const own = prefixOf(userKey);
  clearUsers((name) => !name.startsWith(own), store);
}

function clearUsers(isMeant: (name: string) => boolean, store: Storage): void {
  for (const corner of handles) {
    if (!isMeant(corner.prefix)) continue;
    corner.closed = true;
    handles.delete(corner);
  }
  for (const key of keysUnder(PREFIX, store)) if (isMeant(key)) store.removeItem(key);
}

const prefixOf = (userKey: string): string => `${PREFIX}${encodeURIComponent(userKey)}:`;

function keysUnder(prefix: string, store: Storage): string[] {
  try {
    return Array.from({ length: store.length }, (_, index) => store.key(index) ?? "").filter((key) =>
      key.startsWith(prefix),
    );
  } catch {
    return [];
  }
}
