/** The list as it is shown: pinned conversations first, the others under the days they were last talked in. Pure. */

import type { ConversationView } from "@/conversations/queries/conversationPages";

export type ListRow =
  | { kind: "heading"; key: string; label: string }
  | { kind: "conversation"; key: string; place: number; conversation: ConversationView };

/** What a conversation without a title is called. */
export const UNTITLED = "New conversation";

export const conversationName = (conversation: { title: string | null }): string =>
  conversation.title?.trim() || UNTITLED;

/** Headings and conversations in the order they are shown; places count the conversations from 1. */
export function buildListRows(items: readonly ConversationView[], now: Date): readonly ListRow[] {
  const pinned = items.filter((each) => each.pinned);
  const rows: ListRow[] = [];
  let label = "";
  let place = 0;
  const add = (heading: string, conversation: ConversationView) => {
    if (heading !== label) rows.push({ kind: "heading", key: `heading:${heading}`, label: heading });
    label = heading;
    place += 1;
    rows.push({ kind: "conversation", key: conversation.id, place, conversation });
  };
  for (const each of pinned) add("Pinned", each);
  for (const each of items) if (!each.pinned) add(dayHeading(new Date(each.updated_at), now), each);
  return rows;
}

/** Where the next conversation from a row on is, in a direction; the row itself where there is none. */
export function adjacentConversation(rows: readonly ListRow[], from: number, step: 1 | -1): number {
  for (let index = from + step; index >= 0 && index < rows.length; index += step) {
    if (rows[index]?.kind === "conversation") return index;
  }
  return from;
}

/** The first or the last conversation; -1: there is none. */
export function firstOrLastConversation(rows: readonly ListRow[], which: "first" | "last"): number {
  const isConversation = (row: ListRow) => row.kind === "conversation";
  return which === "first" ? rows.findIndex(isConversation) : rows.findLastIndex(isConversation);
}

const DAY_MS = 86_400_000;
const month = new Intl.DateTimeFormat("en", { month: "long" });
const monthAndYear = new Intl.DateTimeFormat("en", { month: "long", year: "numeric" });

/** The heading for a day, by the user's own calendar. */
export function dayHeading(day: Date, now: Date): string {
  const days = Math.round((startOfDay(now) - startOfDay(day)) / DAY_MS);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days < 7) return "Last 7 days";
  if (days < 30) return "Last 30 days";
  return day.getFullYear() === now.getFullYear() ? month.format(day) : monthAndYear.format(day);
}

const startOfDay = (day: Date): number =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();
