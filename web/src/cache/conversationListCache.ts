/** The user's conversations as they were listed last, painted before the network answers. */

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

export type ConversationView = Schemas["ConversationView"];

const NAME = "conversations";
const MAX_KEPT = 50;
/** The service lists pinned ones where they were last talked in; ours know them however far down that is. */
const MAX_PINNED = 50;

const CONVERSATIONS: PersistedFormat<ConversationView[]> = {
  version: 1,
  maxAgeMs: 14 * DAY_MS,
  parse: (value) => parseList(value, parseConversation),
};

/** The conversations as kept, newest activity first; null: none are. */
export function readConversationList(storage: UserStorage): readonly ConversationView[] | null {
  return readPersisted(storage, NAME, CONVERSATIONS);
}

/** Keeps the newest of the conversations, and those that are pinned. */
export function writeConversationList(
  storage: UserStorage,
  conversations: readonly ConversationView[],
): void {
  const newest = conversations.slice(0, MAX_KEPT);
  const pinned = conversations.slice(MAX_KEPT).filter((each) => each.pinned);
  writePersisted(
    storage,
    NAME,
    CONVERSATIONS,
    [...newest, ...pinned.slice(0, MAX_PINNED)].map(withoutDetails),
  );
}

/** The conversation without what only its details have. */
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
  const each = asRecord(value);
  const isConversation =
    each &&
    typeof each.id === "string" &&
    (each.title === null || typeof each.title === "string") &&
    typeof each.pinned === "boolean" &&
    STATUSES.includes(each.status) &&
    typeof each.message_count === "number" &&
    isTime(each.created_at) &&
    isTime(each.updated_at);
  return isConversation ? (each as ConversationView) : null;
}

const isTime = (value: unknown): boolean => typeof value === "string" && !Number.isNaN(Date.parse(value));
