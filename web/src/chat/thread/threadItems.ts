/** Builds the list of items that a thread shows from its stored messages and its unanswered turns. Pure. */

import type { AttachedFile } from "@/attachments/upload";
import type { MessageView } from "@/cache/messageCache";
import type { Turn } from "@/stream/turn";
import { parseReplyMetadata, type ReplyMetadata, turnMetadata } from "./replyMetadata";

export interface ThreadItem {
  /** Stays the same when the message is stored. */
  id: string;
  role: "user" | "assistant";
  text: string;
  /** The words of the option that the text picks by its number. */
  picked: string | null;
  createdAt: string;
  turnId: string | null;
  /** The id of the stored message; null until it is known to be stored. */
  messageId: string | null;
  metadata: ReplyMetadata | null;
  /** The turn it belongs to, until it is part of the history. */
  turn: Turn | null;
  deleted: boolean;
  /** Whether it has other versions. */
  edited: boolean;
  /** The kinds of secrets detected in it; known once it is stored. */
  contains: MessageView["contains"];
  files: readonly AttachedFile[];
}

/** `turnKeys` has the keys of the turns that were sent from this tab, by turn id. */
export function buildThreadItems(
  messages: readonly MessageView[],
  turns: readonly Turn[],
  turnKeys: ReadonlyMap<string, string>,
): readonly ThreadItem[] {
  const stored = new Set(messages.map((message) => message.turn_id));
  const open = turns.filter((turn) => !turn.turnId || !stored.has(turn.turnId));
  const edit = open.findLast((turn) => turn.request.kind !== "send");
  const shown = edit ? messages.slice(0, replacedIndex(messages, edit)) : messages;
  const items: ThreadItem[] = [];
  let edited = false;
  for (const message of shown) {
    if (message.role !== "user" && message.role !== "assistant") continue;
    if (message.role === "user") edited = message.edited;
    const picked = message.role === "user" ? pickedOption(message.content, items.at(-1)) : null;
    items.push(messageItem(message, turnKeys, edited, picked));
  }
  for (const turn of open)
    if (turn.request.kind === "send" || turn === edit)
      items.push(...cachedTurnItems(turn, pickedOption(turn.request.text, items.at(-1))));
  return items;
}

/** The words of the option that a message picks, if it is a number and the answer before it offers options. */
function pickedOption(text: string, before: ThreadItem | undefined): string | null {
  const options = before?.metadata?.options ?? [];
  if (options.length === 0 || !/^\d{1,2}$/.test(text)) return null;
  return options[Number(text) - 1]?.split(": ")[0] ?? null;
}

/** The index of the stored message that the turn's request replaces. */
function replacedIndex(messages: readonly MessageView[], turn: Turn): number {
  const replaced = turn.request.kind === "send" ? "" : turn.request.messageId;
  const index = messages.findIndex((message) => message.id === replaced);
  return index < 0 ? messages.length : index;
}

const messageItems = new WeakMap<MessageView, ThreadItem>();

function messageItem(
  message: MessageView,
  turnKeys: ReadonlyMap<string, string>,
  edited: boolean,
  picked: string | null,
): ThreadItem {
  const known = messageItems.get(message);
  const id = `${turnKeys.get(message.turn_id) ?? message.turn_id}:${message.role}`;
  if (known?.id === id && known.edited === edited && known.picked === picked) return known;
  const role = message.role === "user" ? "user" : "assistant";
  const item: ThreadItem = {
    id,
    role,
    text: message.content,
    picked,
    createdAt: message.created_at,
    turnId: message.turn_id,
    messageId: message.id,
    metadata: role === "assistant" ? parseReplyMetadata(message.metadata) : null,
    turn: null,
    deleted: message.deleted,
    edited,
    contains: message.contains,
    // Messages that an earlier version of the page cached have none.
    files: message.attachments ?? [],
  };
  messageItems.set(message, item);
  return item;
}

const turnItemsCache = new WeakMap<Turn, readonly ThreadItem[]>();

function cachedTurnItems(turn: Turn, picked: string | null): readonly ThreadItem[] {
  const known = turnItemsCache.get(turn);
  if (known && (known[0]?.role !== "user" || known[0].picked === picked)) return known;
  const items = turnItems(turn, picked);
  turnItemsCache.set(turn, items);
  return items;
}

function turnItems(turn: Turn, picked: string | null): readonly ThreadItem[] {
  const common = { turnId: turn.turnId, turn, deleted: false, edited: false, contains: [], files: [] };
  const answer: ThreadItem = {
    ...common,
    id: `${turn.key}:assistant`,
    role: "assistant",
    text: turn.text,
    picked: null,
    createdAt: turn.reply?.createdAt ?? turn.sentAt,
    messageId: turn.reply?.id ?? null,
    metadata: turnMetadata(turn),
  };
  if (turn.request.kind === "regenerate") return [answer];
  const question: ThreadItem = {
    ...common,
    id: `${turn.key}:user`,
    role: "user",
    text: turn.request.text,
    files: turn.request.files ?? [],
    picked,
    createdAt: turn.sentAt,
    messageId: null,
    metadata: null,
  };
  return turn.phase === "waiting" ? [question] : [question, answer];
}
