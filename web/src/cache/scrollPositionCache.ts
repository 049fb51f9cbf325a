/** Where the user was reading in each conversation, so that it opens there again. */

import {
  asRecord,
  DAY_MS,
  type PersistedFormat,
  parseList,
  readPersisted,
  writePersisted,
} from "./persisted";
import type { UserStorage } from "./userStorage";

/** A place in a conversation: a message, and how far its top lies below the top of what is seen (pixels). */
export interface ScrollPosition {
  messageId: string;
  offset: number;
}

export interface ScrollPositionCache {
  /** Where the user was; null: at the end, or nobody knows. */
  read(conversationId: string): ScrollPosition | null;
  /** Keeps the place; null: the user is at the end, where it opens anyway. */
  write(conversationId: string, place: ScrollPosition | null): void;
}

const NAME = "places";
const MAX_KEPT = 50;

type Entry = readonly [conversationId: string, place: ScrollPosition];

const PLACES: PersistedFormat<Entry[]> = {
  version: 1,
  maxAgeMs: 14 * DAY_MS,
  parse: (value) => parseList(value, parseEntry),
};

export function scrollPositionCache(storage: UserStorage): ScrollPositionCache {
  const entries = () => readPersisted(storage, NAME, PLACES) ?? [];
  return {
    read: (conversationId) => entries().find(([id]) => id === conversationId)?.[1] ?? null,
    write(conversationId, place) {
      const before = entries();
      const rest = before.filter(([id]) => id !== conversationId);
      if (place === null && rest.length === before.length) return;
      const after: Entry[] = place ? [...rest, [conversationId, place]] : rest;
      writePersisted(storage, NAME, PLACES, after.slice(-MAX_KEPT));
    },
  };
}

function parseEntry(value: unknown): Entry | null {
  if (!Array.isArray(value) || typeof value[0] !== "string") return null;
  const place = asRecord(value[1]);
  if (typeof place?.messageId !== "string" || !Number.isFinite(place.offset)) return null;
  return [value[0], { messageId: place.messageId, offset: Number(place.offset) }];
}
