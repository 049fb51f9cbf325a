import { expect, test } from "vitest";
import { createApi } from "@/api/client";
import type { MessageView } from "@/cache/messageCache";
import { MessageWindow } from "@/chat/thread/messageWindow";

const message = (sequence: number) => ({ id: `${sequence}-m`, sequence, content: "" }) as MessageView;

/** An API with this many messages in a conversation, and the queries it received. */
function holding(count: number) {
  const asked: string[] = [];
  const state = { count };
  const tokens = { getToken: async () => "token", renewRejected: async () => false };
  const answer: typeof fetch = async (request) => {
    const { search, searchParams } = new URL((request as Request).url);
    asked.push(search);
    const limit = Number(searchParams.get("limit"));
    const after = searchParams.get("after");
    const end = Math.min(Number(searchParams.get("before") ?? state.count + 1), state.count + 1);
    const start = after === null ? Math.max(1, end - limit) : Number(after) + 1;
    const stop = after === null ? end : Math.min(start + limit, state.count + 1);
    const items = Array.from({ length: stop - start }, (_, index) => message(start + index));
    const hasMore = after === null ? start > 1 : stop <= state.count;
    return Response.json({ items, next_cursor: hasMore ? "more" : null });
  };
  return { api: createApi("http://localhost", tokens, answer), asked, state };
}

const from = (start: number, end: number) =>
  Array.from({ length: end - start + 1 }, (_, index) => start + index);
const sequences = (window: MessageWindow) => window.shown.map((each) => each.sequence);
const opened = (api: ReturnType<typeof holding>["api"]) => MessageWindow.cached(null).withNewest(api, "c");

test("a conversation opens at its newest messages, and says that more lie before them", async () => {
  const window = await opened(holding(120).api);
  expect(sequences(window)).toEqual(from(71, 120));
  expect([window.hasOlder, window.hasNewer]).toEqual([true, false]);
});

test("older messages are put before those that are there, until the conversation begins", async () => {
  const { api } = holding(120);
  const window = await (await opened(api)).withOlder(api, "c");
  expect(sequences(window)).toEqual(from(1, 120));
  expect(window.hasOlder).toBe(false);
});

test("a message far back is shown with those around it, by one request", async () => {
  const { api, asked } = holding(2_000);
  const window = await (await opened(api)).around(api, "c", 300);
  expect(sequences(window)).toEqual(from(250, 349));
  expect([window.hasOlder, window.hasNewer, asked.length]).toEqual([true, true, 2]);
  expect(sequences(window.atEnd())).toEqual(from(1_951, 2_000));
});

test("a conversation that opens at a message far back fetches the newest at the same time", async () => {
  const { api, asked } = holding(2_000);
  const window = await MessageWindow.cached(null).withNewest(api, "c", 300);
  expect(sequences(window)).toEqual(from(250, 349));
  expect(sequences(window.atEnd())).toEqual(from(1_951, 2_000));
  expect(asked.length).toBe(2);
});

test("a conversation that opens at one of its newest messages shows its end", async () => {
  const window = await MessageWindow.cached(null).withNewest(holding(120).api, "c", 100);
  expect(sequences(window)).toEqual(from(21, 120));
  expect(window.hasNewer).toBe(false);
});

test("reading on from a message far back leads to the newest without a gap", async () => {
  const { api } = holding(400);
  let window = await (await opened(api)).around(api, "c", 100);
  for (let pages = 0; window.hasNewer && pages < 5; pages++) window = await window.withNewer(api, "c");
  expect(sequences(window)).toEqual(from(50, 400));
  expect([window.hasOlder, window.hasNewer]).toEqual([true, false]);
});

test("a message near the end is shown without leaving the newest", async () => {
  const { api } = holding(120);
  const window = await (await opened(api)).around(api, "c", 60);
  expect(sequences(window)).toEqual(from(10, 120));
  expect(window.hasNewer).toBe(false);
});

test("a message that came in the meantime is shown, too", async () => {
  const { api, state } = holding(120);
  const window = await opened(api);
  state.count = 140;
  expect(sequences(await window.around(api, "c", 135)).at(-1)).toBe(140);
});

test("while somebody reads far back, new messages are loaded but not shown", async () => {
  const { api, state } = holding(2_000);
  const reading = await (await opened(api)).around(api, "c", 300);
  state.count = 2_002;
  const window = await reading.withNewest(api, "c");
  expect([sequences(window), window.newest.at(-1)?.sequence]).toEqual([from(250, 349), 2_002]);
});

test("a message is changed wherever it is loaded", async () => {
  const window = await opened(holding(3).api);
  const changed = window.withChange("2-m", (each) => ({ ...each, deleted: true }));
  expect(changed.shown.map((each) => each.deleted === true)).toEqual([false, true, false]);
});
