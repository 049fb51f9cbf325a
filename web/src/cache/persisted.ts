/**
 * Reads and writes values in a user's storage together with the version of their format and the time of writing.
 * Values that are outdated, expired or tampered with are removed instead of returned.
 */

import { isRecord } from "@/json";
import type { UserStorage } from "./userStorage";

export interface PersistedFormat<T> {
  /** To be increased whenever the format changes; values of other versions are removed. */
  version: number;
  /** Older values are removed, because the service may have deleted the data in the meantime. */
  maxAgeMs: number;
  /** The value if it has the format, otherwise null. */
  parse(value: unknown): T | null;
}

/** Returns whether the value could be stored. */
export function writePersisted<T>(
  storage: UserStorage,
  name: string,
  format: PersistedFormat<T>,
  value: T,
  now = Date.now(),
): boolean {
  return storage.set(name, { v: format.version, at: now, value });
}

/** The stored value, or null if there is none that is valid. An invalid one is removed. */
export function readPersisted<T>(
  storage: UserStorage,
  name: string,
  format: PersistedFormat<T>,
  now = Date.now(),
): T | null {
  const envelope = storage.get(name);
  if (!isRecord(envelope)) {
    storage.remove(name);
    return null;
  }
  const { v, at, value } = envelope;
  const isFresh = typeof at === "number" && now - at < format.maxAgeMs;
  const parsed = v === format.version && isFresh ? format.parse(value) : null;
  if (parsed === null) storage.remove(name);
  return parsed;
}

/** The parsed items; null if the value is no list or an item can't be parsed. */
export function parseList<T>(value: unknown, parse: (item: unknown) => T | null): T[] | null {
  if (!Array.isArray(value)) return null;
  const items: T[] = [];
  for (const each of value) {
    const item = parse(each);
    if (item === null) return null;
    items.push(item);
  }
  return items;
}
