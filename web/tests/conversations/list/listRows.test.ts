import { expect, test } from "vitest";
import type { ConversationView } from "@/cache/conversationListCache";
import { conversationName } from "@/conversations/conversationName";
import {
  adjacentConversation,
  buildListRows,
  dayHeading,
  firstOrLastConversation,
} from "@/conversations/list/listRows";
import { pendingTitles } from "@/conversations/queries/pendingTitles";

const NOW = new Date(2026, 2, 17, 12, 0);

const talked = (id: string, when: Date, more: Partial<ConversationView> = {}): ConversationView => ({
  id,
  title: id,
  status: "active",
  pinned: false,
  message_count: 2,
  created_at: when.toISOString(),
  updated_at: when.toISOString(),
  expires_at: null,
  ...more,
});

const daysAgo = (days: number, hour = 9) => new Date(2026, 2, 17 - days, hour);

test("conversations stand under the days they were last talked in, pinned ones before all", () => {
  const list = [
    talked("a", daysAgo(0)),
    talked("b", daysAgo(1)),
    talked("c", daysAgo(1, 3)),
    talked("d", daysAgo(20), { pinned: true }),
  ];
  const told = buildListRows(list, NOW).map((row) => (row.kind === "heading" ? row.label : row.key));
  expect(told).toEqual(["Pinned", "d", "Today", "a", "Yesterday", "b", "c"]);
});

test("places count the conversations, not the headings", () => {
  const rows = buildListRows([talked("a", daysAgo(0)), talked("b", daysAgo(1))], NOW);
  expect(rows.flatMap((row) => (row.kind === "conversation" ? [row.position] : []))).toEqual([1, 2]);
});

test("days are named by the user's calendar", () => {
  expect(dayHeading(new Date(2026, 2, 17, 0, 1), NOW)).toBe("Today");
  expect(dayHeading(new Date(2026, 2, 16, 23, 59), NOW)).toBe("Yesterday");
  expect(dayHeading(daysAgo(6), NOW)).toBe("Last 7 days");
  expect(dayHeading(daysAgo(7), NOW)).toBe("Last 30 days");
  expect(dayHeading(new Date(2026, 0, 5), NOW)).toBe("January");
  expect(dayHeading(new Date(2025, 11, 24), NOW)).toBe("December 2025");
});

test("what happened by a clock ahead of this one is today's", () => {
  expect(dayHeading(new Date(2026, 2, 18, 1), NOW)).toBe("Today");
});

test("arrows skip headings and stop at the ends", () => {
  const rows = buildListRows([talked("a", daysAgo(0)), talked("b", daysAgo(1))], NOW);
  expect(rows.map((row) => row.kind)).toEqual(["heading", "conversation", "heading", "conversation"]);
  expect(adjacentConversation(rows, 1, 1)).toBe(3);
  expect(adjacentConversation(rows, 3, -1)).toBe(1);
  expect(adjacentConversation(rows, 1, -1)).toBe(1);
  expect(adjacentConversation(rows, 3, 1)).toBe(3);
  expect([firstOrLastConversation(rows, "first"), firstOrLastConversation(rows, "last")]).toEqual([1, 3]);
  expect(firstOrLastConversation([], "first")).toBe(-1);
});

test("a conversation without a title has a name", () => {
  expect(conversationName({ title: null })).toBe("New conversation");
  expect(conversationName({ title: "  " })).toBe("New conversation");
  expect(conversationName({ title: " Report " })).toBe("Report");
});

test("a title is waited for after a turn, once for each", () => {
  const fresh = talked("a", daysAgo(0), { title: null });
  expect(pendingTitles([fresh])).not.toBe("");
  expect(pendingTitles([fresh])).toBe(pendingTitles([{ ...fresh }]));
  expect(pendingTitles([{ ...fresh, message_count: 4 }])).not.toBe(pendingTitles([fresh]));
});

test("no title is waited for where none is missing, nothing was said, or it is long ago", () => {
  expect(pendingTitles([])).toBe("");
  expect(pendingTitles([talked("a", daysAgo(0))])).toBe("");
  expect(pendingTitles([talked("a", daysAgo(0), { title: null, message_count: 0 })])).toBe("");
  expect(pendingTitles([talked("a", daysAgo(0)), talked("b", daysAgo(1), { title: null })])).toBe("");
});
