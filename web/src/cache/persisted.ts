/**
 * Values in a user's storage with the version of their shape and the time they were kept, so that what an older
 * page left behind, somebody changed by hand, or nobody looked at for long is never shown.
 */

import type { UserStorage } from "./userStorage";

/** What is kept under one sort of name. */
export interface PersistedFormat<T> {
  /** Counts up whenever what is kept changes its form; what has another version is removed. */
  version: number;
  /** What is older is removed; a service that forgets conversations is not outlived for long. */
  maxAgeMs: number;
  /** The value, if it has the form; null: it has not. */
  parse(value: unknown): T | null;
}

/** Keeps the value; whether it could be. */
export function writePersisted<T>(
  storage: UserStorage,
  name: string,
  shape: PersistedFormat<T>,
  value: T,
  now = Date.now(),
): boolean {
  return storage.set(name, { v: shape.version, at: now, value });
}

/** The value as kept; null: there is none that may be used. One that may not be is removed. */
export function readPersisted<T>(
  storage: UserStorage,
  name: string,
  shape: PersistedFormat<T>,
  now = Date.now(),
): T | null {
  const envelope = asRecord(storage.get(name));
  if (!envelope) {
    storage.remove(name);
    return null;
  }
  const { v, at, value } = envelope;
  const isFresh = typeof at === "number" && now - at < shape.maxAgeMs;
  const read = v === shape.version && isFresh ? shape.parse(value) : null;
  if (read === null) storage.remove(name);
  return read;
}

/** The value as an object; null: it is something else. */
export function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

/** The items as read one by one; null: it is no list, or one of them can't be read. */
export function parseList<T>(value: unknown, read: (item: unknown) => T | null): T[] | null {
  if (!Array.isArray(value)) return null;
  const items: T[] = [];
  for (const each of value) {
    const item = read(each);
    if (item === null) return null;
    items.push(item);
  }
  return items;
}

export const DAY_MS = 86_400_000;
