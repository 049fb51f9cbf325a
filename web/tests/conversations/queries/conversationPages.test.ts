import { expect, test } from "vitest";
import {
  applyLocalChange,
  type ConversationPage,
  type ConversationView,
  fromCachedItems,
  type LoadedConversations,
  mergeFirstPage,
  mergeNextPage,
} from "@/conversations/queries/conversationPages";

const NOW = Date.parse("2026-03-17T12:00:00Z");

/** A conversation whose last activity was this many minutes ago. */
const at = (minutes: number, more: Partial<ConversationView> = {}): ConversationView => ({
  id: `c${minutes}`,
  title: null,
  status: "active",
  pinned: false,
  message_count: 2,
  created_at: "2026-03-01T00:00:00.000Z",
  updated_at: new Date(NOW - minutes * 60_000).toISOString(),
  expires_at: null,
  ...more,
});

const page = (items: ConversationView[], next_cursor: string | null): ConversationPage => ({
  items,
  next_cursor,
});
const ids = (list: LoadedConversations) => list.items.map((each) => each.id);

const first = mergeFirstPage(undefined, page([at(10), at(20)], "after 20"), NOW);
const both = mergeNextPage(first, page([at(30), at(40)], "after 40"), NOW);

test("pages follow each other, and the last one ends the list", () => {
  expect(ids(both)).toEqual(["c10", "c20", "c30", "c40"]);
  expect(both.cursor).toBe("after 40");
  expect(mergeNextPage(both, page([at(50)], null), NOW).cursor).toBeNull();
});

test("reading the first page again keeps the pages behind it and where they go on", () => {
  const again = mergeFirstPage(both, page([at(10), at(20)], "after 20"), NOW);
  expect(ids(again)).toEqual(["c10", "c20", "c30", "c40"]);
  expect(again.cursor).toBe("after 40");
});

test("what was talked in moves to the top and stands there once", () => {
  const moved = at(1, { id: "c40" });
  expect(ids(mergeFirstPage(both, page([moved, at(10)], "after 10"), NOW))).toEqual([
    "c40",
    "c10",
    "c20",
    "c30",
  ]);
});

test("what the first page should hold and does not has gone", () => {
  expect(ids(mergeFirstPage(both, page([at(20), at(30)], "after 30"), NOW))).toEqual(["c20", "c30", "c40"]);
});

test("a whole list is all there is", () => {
  expect(ids(mergeFirstPage(both, page([at(10)], null), NOW))).toEqual(["c10"]);
  expect(ids(mergeFirstPage(both, page([], null), NOW))).toEqual([]);
});

test("a list read to its end stays so", () => {
  const whole = mergeNextPage(first, page([at(30)], null), NOW);
  const again = mergeFirstPage(whole, page([at(10), at(20)], "after 20"), NOW);
  expect(ids(again)).toEqual(["c10", "c20", "c30"]);
  expect(again.cursor).toBeNull();
});

test("where more happened than a page holds, the list begins anew", () => {
  const much = mergeFirstPage(both, page([at(1), at(2)], "after 2"), NOW);
  expect(ids(much)).toEqual(["c1", "c2"]);
  expect(much.cursor).toBe("after 2");
});

test("what an earlier visit kept gives way to the first page, but for pinned ones further down", () => {
  const kept = fromCachedItems([at(10), at(15), at(99), at(500, { pinned: true })]);
  const list = mergeFirstPage(kept, page([at(5), at(10)], "after 10"), NOW);
  expect(ids(list)).toEqual(["c5", "c10", "c500"]);
  expect(list.cursor).toBe("after 10");
});

test("a pinned one further down takes its place when its page is read, or goes if it is not there", () => {
  const kept = mergeFirstPage(fromCachedItems([at(35, { pinned: true })]), page([at(10), at(20)], "x"), NOW);
  expect(ids(mergeNextPage(kept, page([at(30), at(35), at(40)], "y"), NOW))).toEqual([
    "c10",
    "c20",
    "c30",
    "c35",
    "c40",
  ]);
  expect(ids(mergeNextPage(kept, page([at(30), at(40)], "y"), NOW))).toEqual(["c10", "c20", "c30", "c40"]);
  expect(ids(mergeNextPage(kept, page([at(30)], "y"), NOW))).toEqual(["c10", "c20", "c30", "c35"]);
  expect(ids(mergeNextPage(kept, page([at(30)], null), NOW))).toEqual(["c10", "c20", "c30"]);
});

test("conversations of the same moment are all kept where a page ends between them", () => {
  const twins = mergeNextPage(first, page([at(20, { id: "twin" }), at(30)], null), NOW);
  expect(ids(twins)).toEqual(["c10", "c20", "twin", "c30"]);
  expect(ids(mergeFirstPage(twins, page([at(10), at(20)], "x"), NOW))).toEqual(["c10", "c20", "twin", "c30"]);
});

test("what was deleted here stays away though a listing from before still has it", () => {
  const deleted = applyLocalChange(both, "c20", null, NOW);
  expect(ids(deleted)).toEqual(["c10", "c30", "c40"]);
  expect(ids(mergeFirstPage(deleted, page([at(10), at(20)], "x"), NOW + 1_000))).toEqual([
    "c10",
    "c30",
    "c40",
  ]);
});

test("what was renamed here keeps its name though a listing from before has the old one", () => {
  const renamed = applyLocalChange(both, "c20", at(20, { title: "New" }), NOW);
  const list = mergeFirstPage(renamed, page([at(10), at(20, { title: "Old" })], "x"), NOW + 1_000);
  expect(list.items.find((each) => each.id === "c20")?.title).toBe("New");
});

test("after a while the service has the last word again", () => {
  const deleted = applyLocalChange(both, "c20", null, NOW);
  expect(ids(mergeFirstPage(deleted, page([at(10), at(20)], "x"), NOW + 6_000))).toContain("c20");
});

test("what comes back takes the place of its activity", () => {
  const back = applyLocalChange(applyLocalChange(both, "c30", null, NOW), "c30", at(0, { id: "c30" }), NOW);
  expect(ids(back)).toEqual(["c30", "c10", "c20", "c40"]);
});
