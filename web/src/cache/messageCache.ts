/** Caches the newest messages of recent conversations, so that they can be shown before the network answers. */

import type { Schemas } from "@/api/client";
import { DAY_MS } from "@/dates";
import { asRecord, isRecord } from "@/json";
import { type PersistedFormat, parseList, readPersisted, writePersisted } from "./persisted";
import type { UserStorage } from "./userStorage";

export type MessageView = Schemas["MessageView"];

/** Cached messages may be outdated; they are shown until the network answers. */
export interface MessageCache {
  /** The newest cached messages in ascending order; null if there are none. */
  read(conversationId: string): readonly MessageView[] | null;
  /** Caches the newest of the messages. */
  write(conversationId: string, messages: readonly MessageView[]): void;
  remove(conversationId: string): void;
}

/** Sizes are in characters of JSON. Browsers grant a site about five million. */
export interface CacheLimits {
  messages: number;
  conversations: number;
  charactersPerConversation: number;
  characters: number;
}

const LIMITS: CacheLimits = {
  messages: 50,
  conversations: 30,
  charactersPerConversation: 150_000,
  characters: 1_500_000,
};
const PREFIX = "thread:";
/** The cached conversations with their sizes, the most recently written last. */
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

/** Opens the cache in the user's storage, and removes messages there that the index does not list. */
export function messageCache(
  storage: UserStorage,
  limits: CacheLimits = LIMITS,
  now: () => number = Date.now,
): MessageCache {
  // Read every time, because other tabs write the index, too.
  const entries = (): Entry[] => readPersisted(storage, INDEX, ENTRIES, now()) ?? [];
  const setEntries = (list: readonly Entry[]) => writePersisted(storage, INDEX, ENTRIES, [...list], now());
  const without = (id: string) => entries().filter(([each]) => each !== id);

  const remove = (id: string) => {
    const rest = without(id);
    storage.remove(PREFIX + id);
    setEntries(rest);
  };

  const indexed = new Set(entries().map(([id]) => PREFIX + id));
  for (const name of storage.keys(PREFIX)) if (!indexed.has(name)) storage.remove(name);

  return {
    read: (id) => readPersisted(storage, PREFIX + id, MESSAGES, now()),
    write(id, messages) {
      const [newest, characters] = newestWithin(messages, limits);
      if (newest.length === 0) return remove(id);
      let rest = without(id);
      const dropOldest = () => {
        const [oldest, ...others] = rest;
        if (oldest) storage.remove(PREFIX + oldest[0]);
        rest = others;
      };
      while (
        rest.length >= limits.conversations ||
        (rest.length > 0 && totalSize(rest) + characters > limits.characters)
      ) {
        dropOldest();
      }
      // The browser may grant less than the limits assume.
      let isStored = writePersisted(storage, PREFIX + id, MESSAGES, newest, now());
      while (!isStored && rest.length > 0) {
        dropOldest();
        isStored = writePersisted(storage, PREFIX + id, MESSAGES, newest, now());
      }
      if (!isStored) storage.remove(PREFIX + id);
      setEntries(isStored ? [...rest, [id, characters]] : rest);
    },
    remove,
  };
}

const totalSize = (list: readonly Entry[]): number =>
  list.reduce((sum, [, characters]) => sum + characters, 0);

/** The newest messages that fit, and their size. Raw tool messages are left out, because the page never shows them. */
function newestWithin(messages: readonly MessageView[], limits: CacheLimits): [MessageView[], number] {
  const newest: MessageView[] = [];
  let characters = 0;
  for (const message of messages.slice(-limits.messages).reverse()) {
    const shortened = { ...message, tool_messages: [] };
    const size = JSON.stringify(shortened).length;
    if (characters + size > limits.charactersPerConversation) break;
    characters += size;
    newest.unshift(shortened);
  }
  return [newest, characters];
}

const ROLES: readonly unknown[] = ["user", "assistant", "system"] satisfies Schemas["Role"][];
const STRINGS = ["id", "turn_id", "content", "created_at"] as const;

function parseMessage(value: unknown): MessageView | null {
  const message = asRecord(value);
  const isValid =
    message &&
    STRINGS.every((name) => typeof message[name] === "string") &&
    ROLES.includes(message.role) &&
    typeof message.sequence === "number" &&
    typeof message.deleted === "boolean" &&
    typeof message.edited === "boolean" &&
    Array.isArray(message.contains) &&
    isRecord(message.metadata);
  return isValid ? (message as MessageView) : null;
}

function parseEntry(value: unknown): Entry | null {
  if (!Array.isArray(value)) return null;
  const [id, characters]: unknown[] = value;
  return typeof id === "string" && typeof characters === "number" ? [id, characters] : null;
}
