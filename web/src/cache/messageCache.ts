/** The last messages of the conversations read last, kept so that they are painted before the network answers. */

import type { Schemas } from "@/api/client";
import { DAY_MS, keep, kept, listOf, record, type Shape } from "./persisted";
import type { UserStorage } from "./userStorage";

export type MessageView = Schemas["MessageView"];

/** What a thread asks of the cache. Kept messages may be old: they are shown until the network answers. */
export interface ThreadCache {
  /** The newest messages as kept, ascending; null: none are. */
  read(conversationId: string): readonly MessageView[] | null;
  /** Keeps the newest of the messages. */
  write(conversationId: string, messages: readonly MessageView[]): void;
  forget(conversationId: string): void;
}

/** How much is kept at most; characters are those of the JSON. Browsers give about five million to a site. */
export interface Bounds {
  messages: number;
  threads: number;
  threadCharacters: number;
  characters: number;
}

const BOUNDS: Bounds = { messages: 50, threads: 30, threadCharacters: 150_000, characters: 1_500_000 };
const PREFIX = "thread:";
/** The conversations that are kept, the one written last at the end, with their sizes. */
const INDEX = "threads";

type Entry = readonly [id: string, characters: number];

const MESSAGES: Shape<MessageView[]> = {
  version: 1,
  maxAgeMs: 14 * DAY_MS,
  read: (value) => listOf(value, messageOf),
};

const ENTRIES: Shape<Entry[]> = {
  version: 1,
  maxAgeMs: Number.POSITIVE_INFINITY,
  read: (value) => listOf(value, entryOf),
};

/** The cache in the user's storage. What others than it left under its names is removed at once. */
export function threadCache(
  storage: UserStorage,
  bounds: Bounds = BOUNDS,
  now: () => number = Date.now,
): ThreadCache {
  // Read anew each time: another tab writes the index, too.
  const entries = (): Entry[] => kept(storage, INDEX, ENTRIES, now()) ?? [];
  const setEntries = (list: readonly Entry[]) => keep(storage, INDEX, ENTRIES, [...list], now());
  const without = (id: string) => entries().filter(([each]) => each !== id);

  const forget = (id: string) => {
    const rest = without(id);
    storage.remove(PREFIX + id);
    setEntries(rest);
  };

  const known = new Set(entries().map(([id]) => PREFIX + id));
  for (const name of storage.names(PREFIX)) if (!known.has(name)) storage.remove(name);

  return {
    read: (id) => kept(storage, PREFIX + id, MESSAGES, now()),
    write(id, messages) {
      const [newest, characters] = newestWithin(messages, bounds);
      if (newest.length === 0) return forget(id);
      let rest = without(id);
      const dropOldest = () => {
        const [oldest, ...others] = rest;
        if (oldest) storage.remove(PREFIX + oldest[0]);
        rest = others;
      };
      while (
        rest.length >= bounds.threads ||
        (rest.length > 0 && sizeOf(rest) + characters > bounds.characters)
      ) {
        dropOldest();
      }
      // The browser may give less than we count on.
      let isKept = keep(storage, PREFIX + id, MESSAGES, newest, now());
      while (!isKept && rest.length > 0) {
        dropOldest();
        isKept = keep(storage, PREFIX + id, MESSAGES, newest, now());
      }
      if (!isKept) storage.remove(PREFIX + id);
      setEntries(isKept ? [...rest, [id, characters]] : rest);
    },
    forget,
  };
}

const sizeOf = (list: readonly Entry[]): number => list.reduce((sum, [, characters]) => sum + characters, 0);

/** The newest messages that fit, and their size. What models asked of tools is left out: nobody reads it here. */
function newestWithin(messages: readonly MessageView[], bounds: Bounds): [MessageView[], number] {
  const newest: MessageView[] = [];
  let characters = 0;
  for (const message of messages.slice(-bounds.messages).reverse()) {
    const lean = { ...message, tool_messages: [] };
    const size = JSON.stringify(lean).length;
    if (characters + size > bounds.threadCharacters) break;
    characters += size;
    newest.unshift(lean);
  }
  return [newest, characters];
}

const ROLES: readonly unknown[] = ["user", "assistant", "system"] satisfies Schemas["Role"][];
const STRINGS = ["id", "turn_id", "content", "created_at"] as const;

function messageOf(value: unknown): MessageView | null {
  const message = record(value);
  const isMessage =
    message &&
    STRINGS.every((name) => typeof message[name] === "string") &&
    ROLES.includes(message.role) &&
    typeof message.sequence === "number" &&
    typeof message.deleted === "boolean" &&
    typeof message.edited === "boolean" &&
    Array.isArray(message.contains) &&
    record(message.metadata) !== null;
  return isMessage ? (message as MessageView) : null;
}

function entryOf(value: unknown): Entry | null {
  if (!Array.isArray(value)) return null;
  const [id, characters]: unknown[] = value;
  return typeof id === "string" && typeof characters === "number" ? [id, characters] : null;
}
