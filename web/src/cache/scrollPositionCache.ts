/** Where the user was reading in each conversation, so that it opens there again. */

import { DAY_MS, keep, kept, listOf, record, type Shape } from "./persisted";
import type { UserStorage } from "./userStorage";

/** A place in a conversation: a message, and how far its top lies below the top of what is seen (pixels). */
export interface Place {
  messageId: string;
  offset: number;
}

export interface ScrollCache {
  /** Where the user was; null: at the end, or nobody knows. */
  read(conversationId: string): Place | null;
  /** Keeps the place; null: the user is at the end, where it opens anyway. */
  write(conversationId: string, place: Place | null): void;
}

const NAME = "places";
const MAX_KEPT = 50;

type Entry = readonly [conversationId: string, place: Place];

const PLACES: Shape<Entry[]> = {
  version: 1,
  maxAgeMs: 14 * DAY_MS,
  read: (value) => listOf(value, entryOf),
};

export function scrollCache(storage: UserStorage): ScrollCache {
  const entries = () => kept(storage, NAME, PLACES) ?? [];
  return {
    read: (conversationId) => entries().find(([id]) => id === conversationId)?.[1] ?? null,
    write(conversationId, place) {
      const before = entries();
      const rest = before.filter(([id]) => id !== conversationId);
      if (place === null && rest.length === before.length) return;
      const after: Entry[] = place ? [...rest, [conversationId, place]] : rest;
      keep(storage, NAME, PLACES, after.slice(-MAX_KEPT));
    },
  };
}

function entryOf(value: unknown): Entry | null {
  if (!Array.isArray(value) || typeof value[0] !== "string") return null;
  const place = record(value[1]);
  if (typeof place?.messageId !== "string" || !Number.isFinite(place.offset)) return null;
  return [value[0], { messageId: place.messageId, offset: Number(place.offset) }];
}
