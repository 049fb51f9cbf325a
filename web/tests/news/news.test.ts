import { expect, test } from "vitest";
import type { ConversationView } from "@/conversations/queries/conversationPages";
import { unseen, withNewest } from "@/news/news";

const conversation = (id: string, count: number) => ({ id, message_count: count }) as ConversationView;
const nothing = new Set<string>();

test("what is there on the first look is not news", () => {
  const newest = [conversation("a", 4)];
  const seen = withNewest(null, newest, nothing);
  expect(unseen(seen, newest)).toEqual([]);
});

test("a result that arrives is news until its conversation is shown", () => {
  const seen = withNewest(null, [conversation("a", 4)], nothing);
  const later = [conversation("a", 5), conversation("new", 1)];
  const after = withNewest(seen, later, nothing);
  expect(unseen(after, later).map((each) => each.id)).toEqual(["a", "new"]);
  expect(unseen(withNewest(after, later, new Set(["a"])), later).map((each) => each.id)).toEqual(["new"]);
});

test("no more than the newest are remembered", () => {
  const many = Array.from({ length: 400 }, (_, index) => conversation(`c${index}`, 1));
  expect(Object.keys(withNewest(null, many, nothing))).toHaveLength(300);
});
