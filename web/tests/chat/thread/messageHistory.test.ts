import { expect, test } from "vitest";
import { createApi } from "@/api/client";
import type { MessageView } from "@/cache/messageCache";
import { fetchMessagePage, fetchMessagesBackTo } from "@/chat/thread/messageHistory";

const message = (sequence: number) => ({ id: `${sequence}-m`, sequence }) as MessageView;

/** An API with this many messages in a conversation, and the queries it received. */
function holding(count: number) {
  const asked: string[] = [];
  const tokens = { getToken: async () => "token", renewRejected: async () => false };
  const answer: typeof fetch = async (request) => {
    const { search, searchParams } = new URL((request as Request).url);
    asked.push(search);
    const end = Number(searchParams.get("before") ?? count + 1);
    const start = Math.max(1, end - Number(searchParams.get("limit")));
    const items = Array.from({ length: end - start }, (_, index) => message(start + index));
    return Response.json({ items, next_cursor: start > 1 ? "more" : null });
  };
  return { api: createApi("http://localhost", tokens, answer), asked };
}

const sequences = (messages: readonly MessageView[]) => messages.map((each) => each.sequence);
const from = (start: number, end: number) =>
  Array.from({ length: end - start + 1 }, (_, index) => start + index);

test("the newest page is read, and says that more lies before it", async () => {
  const page = await fetchMessagePage(holding(120).api, "c");
  expect(sequences(page.messages)).toEqual(from(71, 120));
  expect(page.hasOlder).toBe(true);
});

test("messages are read back to a place without a gap, by few requests", async () => {
  const { api, asked } = holding(1_000);
  const page = await fetchMessagesBackTo(api, "c", 951, 60);
  expect(page.messages[0]?.sequence).toBeLessThanOrEqual(60);
  expect(sequences(page.messages)).toEqual(from(page.messages[0]?.sequence ?? 0, 950));
  expect(asked).toHaveLength(9);
  expect(page.hasOlder).toBe(true);
});

test("reading back ends where the conversation begins", async () => {
  const { api, asked } = holding(150);
  const page = await fetchMessagesBackTo(api, "c", 101, -5);
  expect(sequences(page.messages)).toEqual(from(1, 100));
  expect(page.hasOlder).toBe(false);
  expect(asked).toHaveLength(1);
});
