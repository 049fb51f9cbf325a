/** The last messages of the conversations read last, kept so that they are painted before the network answers. */

import type { Schemas } from "@/api/client";
import {
  asRecord,
  DAY_MS,
  type PersistedFormat,
  parseList,
  readPersisted,
  writePersisted,
} from "./persisted";
import type { UserStorage } from "./userStorage";

export type MessageView = Schemas["MessageView"];

/** What a thread asks of the cache. Kept messages may be old: they are shown until the network answers. */
export interface MessageCache {
  /** The newest messages as kept, ascending; null: none are. */
  read(conversationId: string): readonly MessageView[] | null;
  /** Keeps the newest of the messages. */
  write(conversationId: string, messages: readonly MessageView[]): void;
  remove(conversationId: string): void;
}

/** How much is kept at most; characters are those of the JSON. Browsers give about five million to a site. */
export interface CacheLimits {
  messages: number;
  conversations: number;
  charactersPerConversation: number;
  characters: number;
}

const BOUNDS: CacheLimits = {
  messages: 50,
  conversations: 30,
  charactersPerConversation: 150_000,
  characters: 1_500_000,
};
const PREFIX = "thread:";
/** The conversations that are kept, the one written last at the end, with their sizes. */
const INDEX = "threads";

type Entry = readonly [id: string, characters: number];

const MESSAGES: PersistedFormat<MessageView[]> = {
  version: 1,
  maxAgeMs: 14 * DAY_MS,
  parse: (value) => parseList(value, parseMessage),
};

const ENTRIES: PersistedFormat<Entry[]> = {
  version: 1,
  maxAgeMs: Number.POSITIVE_INFINITY,
  parse: (value) => parseList(value, parseEntry),
};

/** The cache in the user's storage. What others than it left under its names is removed at once. */
export function messageCache(
  storage: UserStorage,
  bounds: CacheLimits = BOUNDS,
  now: () => number = Date.now,
): MessageCache {
  // Read anew each time: another tab writes the index, too.
  const entries = (): Entry[] => readPersisted(storage, INDEX, ENTRIES, now()) ?? [];
  const setEntries = (list: readonly Entry[]) => writePersisted(storage, INDEX, ENTRIES, [...list], now());
  const without = (id: string) => entries().filter(([each]) => each !== id);

  const remove = (id: string) => {
    const rest = without(id);
    storage.remove(PREFIX + id);
    setEntries(rest);
  };

  const known = new Set(entries().map(([id]) => PREFIX + id));
  for (const name of storage.keys(PREFIX)) if (!known.has(name)) storage.remove(name);

  return {
    read: (id) => readPersisted(storage, PREFIX + id, MESSAGES, now()),
    write(id, messages) {
      const [newest, characters] = newestWithin(messages, bounds);
      if (newest.length === 0) return remove(id);
      let rest = without(id);
      const dropOldest = () => {
        const [oldest, ...others] = rest;
        if (oldest) storage.remove(PREFIX + oldest[0]);
        rest = others;
      };
      while (
        rest.length >= bounds.conversations ||
        (rest.length > 0 && sizeOf(rest) + characters > bounds.characters)
      ) {
        dropOldest();
      }
      // The browser may give less than we count on.
      let isKept = writePersisted(storage, PREFIX + id, MESSAGES, newest, now());
      while (!isKept && rest.length > 0) {
        dropOldest();
        isKept = writePersisted(storage, PREFIX + id, MESSAGES, newest, now());
      }
      if (!isKept) storage.remove(PREFIX + id);
      setEntries(isKept ? [...rest, [id, characters]] : rest);
    },
    remove,
  };
}

const sizeOf = (list: readonly Entry[]): number => list.reduce((sum, [, characters]) => sum + characters, 0);

/** The newest messages that fit, and their size. What models asked of tools is left out: nobody reads it here. */
function newestWithin(messages: readonly MessageView[], bounds: CacheLimits): [MessageView[], number] {
  const newest: MessageView[] = [];
  let characters = 0;
  for (const message of messages.slice(-bounds.messages).reverse()) {
    const lean = { ...message, tool_messages: [] };
    const size = JSON.stringify(lean).length;
    if (characters + size > bounds.charactersPerConversation) break;
    characters += size;
    newest.unshift(lean);
  }
  return [newest, characters];
}

const ROLES: readonly unknown[] = ["user", "assistant", "system"] satisfies Schemas["Role"][];
const STRINGS = ["id", "turn_id", "content", "created_at"] as const;

function parseMessage(value: unknown): MessageView | null {
  const message = asRecord(value);
  const isMessage =
    message &&
    STRINGS.every((name) => typeof message[name] === "string") &&
    ROLES.includes(message.role) &&
    typeof message.sequence === "number" &&
    typeof message.deleted === "boolean" &&
    typeof message.edited === "boolean" &&
    Array.isArray(message.contains) &&
    asRecord(message.metadata) !== null;
  return isMessage ? (message as MessageView) : null;
}

function parseEntry(value: unknown): Entry | null {
  if (!Array.isArray(value)) return null;
  const [id, characters]: unknown[] = value;
  return typeof id === "string" && typeof characters === "number" ? [id, characters] : null;
}
