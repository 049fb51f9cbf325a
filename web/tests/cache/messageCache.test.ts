import { expect, test } from "vitest";
import { type CacheLimits, type MessageView, messageCache } from "@/cache/messageCache";
import { type UserStorage, userStorage } from "@/cache/userStorage";

const BOUNDS: CacheLimits = {
  messages: 50,
  conversations: 3,
  charactersPerConversation: 2_000,
  characters: 5_000,
};
const DAY_MS = 86_400_000;

const message = (sequence: number, content = "hello"): MessageView => ({
  id: `${sequence}-m`,
  turn_id: `c.${sequence}`,
  sequence,
  role: sequence % 2 ? "user" : "assistant",
  content,
  created_at: "2026-01-01T00:00:00.000Z",
  deleted: false,
  edited: false,
  late: false,
  contains: [],
  metadata: {},
  attachments: [],
  tool_messages: [],
});

const said = (count: number, content?: string) =>
  Array.from({ length: count }, (_, index) => message(index + 1, content));

const sequences = (messages: readonly MessageView[] | null) => messages?.map((each) => each.sequence);

/** A storage with a limit in characters, as in browsers. */
function small(characters: number): UserStorage {
  const kept = new Map<string, string>();
  const size = () => [...kept].reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  return userStorage("maya", {
    get length() {
      return kept.size;
    },
    key: (index: number) => [...kept.keys()][index] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => {
      const before = kept.get(key) ?? "";
      if (size() - before.length + value.length > characters)
        throw new DOMException("full", "QuotaExceededError");
      kept.set(key, value);
    },
    removeItem: (key: string) => void kept.delete(key),
    clear: () => kept.clear(),
  });
}

test("a conversation is painted with the messages of the last visit", () => {
  messageCache(userStorage("maya")).write("c", said(3));
  expect(messageCache(userStorage("maya")).read("c")).toEqual(said(3));
});

test("nobody else on the machine sees them", () => {
  messageCache(userStorage("maya")).write("c", said(3));
  expect(messageCache(userStorage("zoe")).read("c")).toBeNull();
});

test("of a long conversation the newest messages are kept", () => {
  const cache = messageCache(userStorage("maya"));
  cache.write("c", said(1_000));
  expect(sequences(cache.read("c"))).toEqual(Array.from({ length: 50 }, (_, index) => 951 + index));
});

test("of long messages as many are kept as fit, the newest first", () => {
  const cache = messageCache(userStorage("maya"), BOUNDS);
  cache.write("c", [message(1, "x".repeat(1_500)), message(2, "y".repeat(1_000)), message(3)]);
  expect(sequences(cache.read("c"))).toEqual([2, 3]);
});

test("a message too long for the cache leaves nothing older behind it", () => {
  const cache = messageCache(userStorage("maya"), BOUNDS);
  cache.write("c", said(2));
  cache.write("c", [...said(2), message(3, "x".repeat(3_000))]);
  expect(cache.read("c")).toBeNull();
});

test("what models asked of tools is not kept", () => {
  const cache = messageCache(userStorage("maya"));
  cache.write("c", [{ ...message(1), tool_messages: [{ secret: "long" }] }]);
  expect(cache.read("c")?.[0]?.tool_messages).toEqual([]);
});

test("the conversations written longest ago make room for another", () => {
  const cache = messageCache(userStorage("maya"), BOUNDS);
  for (const id of ["a", "b", "c"]) cache.write(id, said(1));
  cache.write("a", said(2));
  cache.write("d", said(1));
  expect(["a", "b", "c", "d"].filter((id) => cache.read(id))).toEqual(["a", "c", "d"]);
});

test("all conversations together stay within their bound", () => {
  const bounds = { ...BOUNDS, threads: 100 };
  const cache = messageCache(userStorage("maya"), bounds);
  for (let index = 0; index < 40; index++) cache.write(`c${index}`, [message(1, "x".repeat(900))]);
  const total = Object.values(window.localStorage).reduce(
    (sum: number, value: string) => sum + value.length,
    0,
  );
  expect(total).toBeLessThan(bounds.characters * 1.1);
  expect(cache.read("c39")).not.toBeNull();
  expect(cache.read("c0")).toBeNull();
});

test("a browser that gives less room than counted on keeps the newest conversations", () => {
  const cache = messageCache(small(3_000));
  for (const id of ["a", "b", "c", "d"]) cache.write(id, [message(1, "x".repeat(700))]);
  expect(cache.read("a")).toBeNull();
  expect(cache.read("d")).not.toBeNull();
});

test("a browser without any room keeps nothing and breaks nothing", () => {
  const storage = small(100);
  const cache = messageCache(storage);
  cache.write("a", said(3));
  expect(cache.read("a")).toBeNull();
  expect(storage.keys("thread:")).toEqual([]);
});

test("what another version of the page left is removed instead of shown", () => {
  const storage = userStorage("maya");
  const cache = messageCache(storage);
  cache.write("c", said(1));
  for (const odd of [
    { v: 99, at: Date.now(), value: said(1) },
    said(1),
    "text",
    null,
    { v: 1, at: "soon" },
  ]) {
    storage.set("thread:c", odd);
    expect(cache.read("c")).toBeNull();
    expect(storage.get("thread:c")).toBeNull();
  }
});

test("a kept conversation with one message that is none is not shown at all", () => {
  const storage = userStorage("maya");
  const cache = messageCache(storage);
  const odd = [
    { ...message(1), content: 7 },
    { ...message(1), role: "root" },
    { ...message(1), metadata: null },
    1,
  ];
  for (const each of odd) {
    cache.write("c", said(1));
    storage.set("thread:c", { v: 1, at: Date.now(), value: [message(1), each] });
    expect(cache.read("c")).toBeNull();
  }
});

test("a conversation that is written again and again takes the room of one", () => {
  const cache = messageCache(userStorage("maya"), BOUNDS);
  for (const id of ["a", "b", "c", "c", "c", "c"]) cache.write(id, said(1));
  expect(["a", "b", "c"].filter((id) => cache.read(id))).toEqual(["a", "b", "c"]);
});

test("messages nobody looked at for two weeks are gone", () => {
  let now = Date.now();
  const cache = messageCache(userStorage("maya"), BOUNDS, () => now);
  cache.write("c", said(1));
  now += 13 * DAY_MS;
  expect(cache.read("c")).not.toBeNull();
  now += 2 * DAY_MS;
  expect(cache.read("c")).toBeNull();
});

test("a deleted conversation is forgotten", () => {
  const storage = userStorage("maya");
  const cache = messageCache(storage);
  cache.write("c", said(1));
  cache.remove("c");
  expect(cache.read("c")).toBeNull();
  expect(storage.keys("thread:")).toEqual([]);
});

test("what no index knows is removed when the cache is opened", () => {
  const storage = userStorage("maya");
  messageCache(storage).write("c", said(1));
  storage.set("thread:orphan", { v: 1, at: Date.now(), value: said(1) });
  const cache = messageCache(storage);
  expect(cache.read("c")).not.toBeNull();
  expect(storage.keys("thread:")).toEqual(["thread:c"]);
});

test("two tabs that write by turns forget nothing of each other's", () => {
  const [one, other] = [messageCache(userStorage("maya")), messageCache(userStorage("maya"))];
  one.write("a", said(1));
  other.write("b", said(1));
  one.write("c", said(1));
  const reopened = messageCache(userStorage("maya"));
  expect(["a", "b", "c"].filter((id) => reopened.read(id))).toEqual(["a", "b", "c"]);
});
