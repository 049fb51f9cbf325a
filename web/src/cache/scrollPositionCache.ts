/** Caches the scroll position of each conversation, so that it reopens where the user last read. */

import { DAY_MS } from "@/dates";
import { asRecord } from "@/json";
import { type PersistedFormat, parseList, readPersisted, writePersisted } from "./persisted";
import type { UserStorage } from "./userStorage";

/** A message, and the distance of its top from the top of the view in pixels. */
export interface ScrollPosition {
  messageId: string;
  offset: number;
}

interface ScrollPositionCache {
  /** The last position; null if it was the end, or is unknown. */
  read(conversationId: string): ScrollPosition | null;
  /** Stores the position; null for the end, where conversations open by default. */
  write(conversationId: string, position: ScrollPosition | null): void;
}

const NAME = "places";
const MAX_ENTRIES = 50;

type Entry = readonly [conversationId: string, position: ScrollPosition];

const POSITIONS: PersistedFormat<Entry[]> = {
  version: 1,
  maxAgeMs: 14 * DAY_MS,
  parse: (value) => parseList(value, parseEntry),
};

export function scrollPositionCache(storage: UserStorage): ScrollPositionCache {
  const entries = () => readPersisted(storage, NAME, POSITIONS) ?? [];
  return {
    read: (conversationId) => entries().find(([id]) => id === conversationId)?.[1] ?? null,
    write(conversationId, position) {
      const before = entries();
      const rest = before.filter(([id]) => id !== conversationId);
      if (position === null && rest.length === before.length) return;
      const after: Entry[] = position ? [...rest, [conversationId, position]] : rest;
      writePersisted(storage, NAME, POSITIONS, after.slice(-MAX_ENTRIES));
    },
  };
}

function parseEntry(value: unknown): Entry | null {
  if (!Array.isArray(value) || typeof value[0] !== "string") return null;
  const position = asRecord(value[1]);
  if (typeof position?.messageId !== "string" || !Number.isFinite(position.offset)) return null;
  return [value[0], { messageId: position.messageId, offset: Number(position.offset) }];
}
