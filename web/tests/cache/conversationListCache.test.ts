import { expect, test } from "vitest";
import {
  type ConversationView,
  readConversationList,
  writeConversationList,
} from "@/cache/conversationListCache";
import { scrollPositionCache } from "@/cache/scrollPositionCache";
import { userStorage } from "@/cache/userStorage";

const conversation = (id: string, pinned = false): ConversationView => ({
  id,
  title: `About ${id}`,
  status: "active",
  pinned,
  message_count: 2,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  expires_at: null,
});

const many = (count: number) => Array.from({ length: count }, (_, index) => conversation(`c${index}`));

test("the list is there before the network answers, for its user alone", () => {
  writeConversationList(userStorage("maya"), [conversation("a"), conversation("b")]);
  expect(readConversationList(userStorage("maya"))?.map((each) => each.id)).toEqual(["a", "b"]);
  expect(readConversationList(userStorage("zoe"))).toBeNull();
});

test("of a long list the newest are kept, and the pinned ones however old", () => {
  writeConversationList(userStorage("maya"), [...many(300), conversation("old friend", true)]);
  const kept = readConversationList(userStorage("maya")) ?? [];
  expect(kept).toHaveLength(51);
  expect(kept.at(-1)?.id).toBe("old friend");
});

test("what details say beyond the list is not kept", () => {
  const details = { ...conversation("a"), metadata: { secret: 1 }, forked_from: null };
  writeConversationList(userStorage("maya"), [details]);
  expect(readConversationList(userStorage("maya"))).toEqual([conversation("a")]);
});

test("a kept list that is not one is removed", () => {
  const storage = userStorage("maya");
  const odd = [
    {},
    [1],
    [{ ...conversation("a"), updated_at: "yesterday" }],
    [{ ...conversation("a"), status: "gone" }],
  ];
  for (const value of odd) {
    storage.set("conversations", { v: 1, at: Date.now(), value });
    expect(readConversationList(storage)).toBeNull();
    expect(storage.keys()).toEqual([]);
  }
});

test("a conversation opens where it was left, and at its end when it was left there", () => {
  const places = scrollPositionCache(userStorage("maya"));
  places.write("a", { messageId: "3-m", offset: -12 });
  places.write("b", { messageId: "9-m", offset: 0 });
  expect(scrollPositionCache(userStorage("maya")).read("a")).toEqual({ messageId: "3-m", offset: -12 });
  places.write("a", null);
  expect(places.read("a")).toBeNull();
  expect(places.read("b")).not.toBeNull();
});

test("the places left last are remembered", () => {
  const places = scrollPositionCache(userStorage("maya"));
  for (let index = 0; index < 60; index++) places.write(`c${index}`, { messageId: "m", offset: 0 });
  expect(places.read("c0")).toBeNull();
  expect(places.read("c59")).not.toBeNull();
});
