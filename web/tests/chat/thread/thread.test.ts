import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/apiError";
import { createApi } from "@/api/client";
import { type MessageView, messageCache } from "@/cache/messageCache";
import { userStorage } from "@/cache/userStorage";
import { Thread } from "@/chat/thread/thread";
import { Outbox } from "@/stream/outbox";
import type { Turn, TurnRequest } from "@/stream/turn";
import type { TurnApi } from "@/stream/turnApi";

const storage = () => userStorage("issuer|acme|maya");

/** An in-memory service with one conversation, which fails on demand. */
class Service {
  messages: MessageView[] = [];
  keys: string[] = [];
  requests: TurnRequest[] = [];
  refuse: (() => Response) | null = null;
  persisted = true;
  /** Sends the answer that is held back. */
  release: (() => void) | null = null;
  hold = false;
  /** Whether messages are accepted now and answered later. */
  accepts = false;

  turnApi: TurnApi = {
    post: async (request, key) => {
      this.requests.push(request);
      this.keys.push(key);
      const refusal = this.refuse?.();
      if (refusal) return refusal;
      if (this.hold) await new Promise<void>((resolve) => (this.release = resolve));
      return this.answer(request, key);
    },
    progress: async () => Promise.reject(ApiError.unreachable()),
    stop: async () => undefined,
    sleep: () => new Promise((resolve) => setTimeout(resolve)),
  };

  answer(request: TurnRequest, key: string): Response {
    const turn_id = `c.${key}`;
    if (this.accepts) return json({ turn_id, conversation_id: "c" }, 202);
    const said = this.message("user", request.text, turn_id);
    const reply = this.message("assistant", `You said: ${request.text}`, turn_id);
    if (this.persisted) this.messages.push(said, reply);
    const { id, role, content, created_at } = reply;
    const metadata = { turn_id, persisted: this.persisted };
    return json({ conversation_id: "c", message: { id, role, content, created_at }, metadata });
  }

  private message(role: "user" | "assistant", content: string, turn_id: string): MessageView {
    const sequence = this.messages.length + (role === "user" ? 1 : 2);
    const created_at = "2026-01-01T00:00:00Z";
    const kept = { deleted: false, edited: false, late: false, contains: [] };
    const rest = { metadata: {}, tool_messages: [], ...kept };
    return { id: `${sequence}`, sequence, role, content, turn_id, created_at, ...rest };
  }

  fetch = (async () => json({ items: this.messages, next_cursor: null })) as typeof fetch;
}

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });

let service: Service;
beforeEach(() => {
  service = new Service();
});

function thread(conversationId: string | null = null): Thread {
  const tokens = { getToken: async () => "token", renewRejected: async () => false };
  return new Thread(
    {
      api: createApi("http://127.0.0.1", tokens, service.fetch),
      turnApi: service.turnApi,
      cache: messageCache(storage()),
      outbox: new Outbox(storage()),
      onConversationCreated: () => undefined,
      onAnswered: () => undefined,
      onTurnEvent: () => undefined,
    },
    conversationId,
  );
}

const texts = (of: Thread) => of.snapshot().items.map((item) => item.text);
const idle = (of: Thread) => vi.waitFor(() => expect(of.snapshot().active).toBeNull());
const problem = (of: Thread): Turn => of.snapshot().items.findLast((item) => item.turn)?.turn as Turn;

test("a message is on the page at once, and belongs to a conversation once it is answered", async () => {
  service.hold = true;
  const chat = thread();
  chat.send("Hello");
  expect(texts(chat)).toEqual(["Hello", ""]);
  await vi.waitFor(() => expect(service.release).not.toBeNull());
  service.release?.();
  await vi.waitFor(() => expect(chat.snapshot().items[0]?.messageId).toBe("1"));
  expect([chat.conversationId, texts(chat)]).toEqual(["c", ["Hello", "You said: Hello"]]);
});

test("a message that could not be sent goes out later, once, under the same key", async () => {
  service.refuse = () => {
    throw new TypeError("offline");
  };
  const chat = thread();
  chat.send("Hello");
  await idle(chat);
  expect(problem(chat).phase).toBe("unsent");
  service.refuse = null;
  chat.retryWaiting();
  await vi.waitFor(() => expect(texts(chat)).toEqual(["Hello", "You said: Hello"]));
  expect(new Set(service.keys).size).toBe(1);
});

test("what an earlier visit left unanswered is sent again under its key", async () => {
  service.refuse = () => json({ code: "auth_invalid", title: "Unauthorized", status: 401 }, 401);
  const before = thread();
  before.send("Hello");
  await idle(before);
  expect(problem(before).phase).toBe("signed_out");
  before.dispose();
  service.refuse = null;
  const [left] = new Outbox(storage()).pending();
  const after = thread();
  if (left) after.resume(left);
  await vi.waitFor(() => expect(texts(after)).toEqual(["Hello", "You said: Hello"]));
  expect(new Set(service.keys).size).toBe(1);
  await vi.waitFor(() => expect(new Outbox(storage()).pending()).toEqual([]));
});

test("what was kept for a day is not sent again", () => {
  const outbox = new Outbox(storage(), () => Date.parse("2026-01-02T12:00:00Z"));
  const request = { kind: "send", text: "old", conversationId: null };
  const kept = { key: "k", request, turnId: null, conversationId: null, held: false };
  storage().set("outbox:k", { ...kept, sentAt: "2026-01-01T12:00:00Z" });
  expect([outbox.pending(), storage().keys("outbox:")]).toEqual([[], []]);
});

test("a refused message can be given up, and its words are not lost", async () => {
  service.refuse = () => json({ code: "conversation_not_found", title: "Not Found", status: 404 }, 404);
  const chat = thread("c");
  chat.send("Hello");
  await idle(chat);
  expect(chat.discard(problem(chat).key)).toBe("Hello");
  expect([texts(chat), new Outbox(storage()).pending()]).toEqual([[], []]);
});

test("while a message is being answered no second one is sent", async () => {
  service.hold = true;
  const chat = thread();
  chat.send("one");
  chat.send("two");
  await vi.waitFor(() => expect(service.keys).toHaveLength(1));
  expect(texts(chat)).toEqual(["one", ""]);
});

test("where no history is kept, what was said goes along with the next message", async () => {
  service.persisted = false;
  const chat = thread();
  chat.send("Create a report agent");
  await idle(chat);
  chat.send("Yes");
  await idle(chat);
  expect(service.requests[1]).toMatchObject({
    before: [
      { role: "user", content: "Create a report agent" },
      { role: "assistant", content: "You said: Create a report agent" },
    ],
  });
  expect(texts(chat)).toHaveLength(4);
});

test("where a history is kept after all, the message is sent without what was said before", async () => {
  service.persisted = false;
  const chat = thread();
  chat.send("one");
  await idle(chat);
  service.persisted = true;
  service.refuse = () => {
    service.refuse = null;
    return json({ code: "field_unknown", title: "Bad Request", status: 400 }, 400);
  };
  chat.send("two");
  await vi.waitFor(() => expect(texts(chat)).toContain("You said: two"));
  expect(service.requests.at(-1)).not.toHaveProperty("before");
  expect(chat.snapshot().items.some((item) => item.turn?.error)).toBe(false);
});

test("a conversation is painted from what was kept before the service answers", async () => {
  const first = thread();
  first.send("Hello");
  await vi.waitFor(() => expect(first.snapshot().items[0]?.messageId).toBe("1"));
  const again = thread("c");
  expect([texts(again), again.snapshot().stale]).toEqual([["Hello", "You said: Hello"], true]);
  await again.refresh();
  expect(again.snapshot().stale).toBe(false);
});

test("the key of a message never depends on what it says", async () => {
  const chat = thread();
  for (const _ of [1, 2]) {
    chat.send("the same");
    await idle(chat);
  }
  expect(new Set(service.keys).size).toBe(2);
});

test("what arrives after signing out is not kept", async () => {
  service.hold = true;
  service.accepts = true;
  const chat = thread();
  chat.send("Hello");
  await vi.waitFor(() => expect(service.release).not.toBeNull());
  const reading = thread("c");
  const read = reading.refresh();
  for (const each of [chat, reading]) each.dispose();
  window.localStorage.clear();
  service.release?.();
  await read;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(window.localStorage.length).toBe(0);
});
