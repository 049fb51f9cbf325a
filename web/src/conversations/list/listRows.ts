/** Builds the rows of the conversation list: pinned conversations first, the others grouped by day. Pure. */

import type { ConversationView } from "@/conversations/queries/conversationPages";
import { DAY_MS, startOfDay } from "@/dates";

export type ListRow =
  | { kind: "heading"; key: string; label: string }
  | { kind: "conversation"; key: string; position: number; conversation: ConversationView };

/** Headings and conversations in order. Positions count the conversations from 1. */
export function buildListRows(items: readonly ConversationView[], now: Date): readonly ListRow[] {
  const rows: ListRow[] = [];
  let currentHeading = "";
  let position = 0;
  const add = (heading: string, conversation: ConversationView) => {
    if (heading !== currentHeading) rows.push({ kind: "heading", key: `heading:${heading}`, label: heading });
    currentHeading = heading;
    position += 1;
    rows.push({ kind: "conversation", key: conversation.id, position, conversation });
  };
  for (const each of items) if (each.pinned) add("Pinned", each);
  for (const each of items) if (!each.pinned) add(dayHeading(new Date(each.updated_at), now), each);
  return rows;
}

/** The index of the next conversation in a direction; `from` itself if there is none. */
export function adjacentConversation(rows: readonly ListRow[], from: number, step: 1 | -1): number {
  for (let index = from + step; index >= 0 && index < rows.length; index += step) {
    if (rows[index]?.kind === "conversation") return index;
  }
  return from;
}

/** The index of the first or last conversation; -1 if there is none. */
export function firstOrLastConversation(rows: readonly ListRow[], which: "first" | "last"): number {
  const isConversation = (row: ListRow) => row.kind === "conversation";
  return which === "first" ? rows.findIndex(isConversation) : rows.findLastIndex(isConversation);
}

const month = new Intl.DateTimeFormat("en", { month: "long" });
const monthAndYear = new Intl.DateTimeFormat("en", { month: "long", year: "numeric" });

/** The heading for a day in the user's own calendar. */
export function dayHeading(day: Date, now: Date): string {
  const days = Math.round((startOfDay(now).getTime() - startOfDay(day).getTime()) / DAY_MS);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days < 7) return "Last 7 days";
  if (days < 30) return "Last 30 days";
  return day.getFullYear() === now.getFullYear() ? month.format(day) : monthAndYear.format(day);
}
