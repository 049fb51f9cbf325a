/** Caches the user's conversation list, so that it can be shown before the network answers. */

import type { Schemas } from "@/api/client";
import { DAY_MS } from "@/dates";
import { asRecord } from "@/json";
import { type PersistedFormat, parseList, readPersisted, writePersisted } from "./persisted";
import type { UserStorage } from "./userStorage";

export type ConversationView = Schemas["ConversationView"];

const NAME = "conversations";
const MAX_RECENT = 50;
/** The service lists pinned conversations by their last activity; the page needs them however old they are. */
const MAX_PINNED = 50;

const CONVERSATIONS: PersistedFormat<ConversationView[]> = {
  version: 1,
  maxAgeMs: 14 * DAY_MS,
  parse: (value) => parseList(value, parseConversation),
};

/** The cached conversations, newest activity first; null if there are none. */
export function readConversationList(storage: UserStorage): readonly ConversationView[] | null {
  return readPersisted(storage, NAME, CONVERSATIONS);
}

/** Caches the newest conversations and the pinned ones. */
export function writeConversationList(
  storage: UserStorage,
  conversations: readonly ConversationView[],
): void {
  const newest = conversations.slice(0, MAX_RECENT);
  const pinned = conversations.slice(MAX_RECENT).filter((each) => each.pinned);
  writePersisted(
    storage,
    NAME,
    CONVERSATIONS,
    [...newest, ...pinned.slice(0, MAX_PINNED)].map(withoutDetails),
  );
}

/** The conversation as it appears in lists. */
function withoutDetails({
  id,
  title,
  status,
  pinned,
  message_count,
  ...times
}: ConversationView): ConversationView {
  const { created_at, updated_at, expires_at } = times;
  return { id, title, status, pinned, message_count, created_at, updated_at, expires_at };
}

const STATUSES: readonly unknown[] = ["active", "archived"];

function parseConversation(value: unknown): ConversationView | null {
  const conversation = asRecord(value);
  const isValid =
    conversation &&
    typeof conversation.id === "string" &&
    (conversation.title === null || typeof conversation.title === "string") &&
    typeof conversation.pinned === "boolean" &&
    STATUSES.includes(conversation.status) &&
    typeof conversation.message_count === "number" &&
    isTime(conversation.created_at) &&
    isTime(conversation.updated_at);
  return isValid ? (conversation as ConversationView) : null;
}

const isTime = (value: unknown): boolean => typeof value === "string" && !Number.isNaN(Date.parse(value));
