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
  /** Lets a message be tried again that could not be sent. */
  retry: (() => void) | null = null;
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
    untilRetry: () => new Promise((resolve) => (this.retry = resolve)),
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
    const rest = { metadata: {}, attachments: [], tool_messages: [], ...kept };
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
  const kept = { key: "k", request, turnId: null, conversationId: null, posted: true, held: false };
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

const said = (from: Service) =>
  from.messages.filter(({ role }) => role === "user").map(({ content }) => content);
const offline = () => {
  throw new TypeError("offline");
};

test("messages that are typed during an answer wait, and are sent in order, each once", async () => {
  service.hold = true;
  const chat = thread();
  for (const text of ["one", "two", "three"]) chat.send(text);
  expect(texts(chat)).toEqual(["one", "", "two", "three"]);
  for (const count of [1, 2, 3]) {
    await vi.waitFor(() => expect([service.keys.length, service.release !== null]).toEqual([count, true]));
    const release = service.release;
    service.release = null;
    release?.();
  }
  await vi.waitFor(() => expect(said(service)).toEqual(["one", "two", "three"]));
  await idle(chat);
  expect([service.requests.map((each) => each.conversationId), service.keys.length]).toEqual([
    [null, "c", "c"],
    3,
  ]);
});

test("what was written without a network goes out in order, by itself, each once", async () => {
  service.refuse = offline;
  const chat = thread("c");
  for (const text of ["one", "two", "three"]) chat.send(text);
  await vi.waitFor(() => expect(service.retry).not.toBeNull());
  expect(texts(chat)).toEqual(["one", "", "two", "three"]);
  service.refuse = null;
  service.retry?.();
  await vi.waitFor(() => expect(said(service)).toEqual(["one", "two", "three"]));
  expect(new Set(service.keys).size).toBe(3);
});

test("what waits survives a reload, and goes out in order in the conversation it was typed in", async () => {
  service.hold = true;
  const before = thread();
  before.send("one");
  await vi.waitFor(() => expect(service.release).not.toBeNull());
  for (const text of ["two", "three"]) before.send(text);
  before.dispose();
  service.hold = false;
  const after = thread();
  for (const pending of new Outbox(storage()).pending()) after.resume(pending);
  await vi.waitFor(() => expect(said(service)).toEqual(["one", "two", "three"]));
  expect(service.requests.at(-1)?.conversationId).toBe("c");
  await vi.waitFor(() => expect(new Outbox(storage()).pending()).toEqual([]));
});

test("a message that waits can be changed and removed, and is held back while it is edited", async () => {
  service.hold = true;
  const chat = thread();
  for (const text of ["one", "two", "three"]) chat.send(text);
  await vi.waitFor(() => expect(service.release).not.toBeNull());
  const [second, third] = new Outbox(storage()).pending().slice(1);
  chat.editWaiting(second?.key ?? "");
  chat.discard(third?.key ?? "");
  service.hold = false;
  service.release?.();
  await idle(chat);
  expect(texts(chat)).toContain("two");
  expect(said(service)).toEqual(["one"]);
  expect(chat.rewriteWaiting(second?.key ?? "", "second")).toBe(true);
  chat.editWaiting(null);
  await vi.waitFor(() => expect(said(service)).toEqual(["one", "second"]));
  expect(chat.rewriteWaiting(second?.key ?? "", "too late")).toBe(false);
});

test("a message that is refused for good holds up none of those behind it", async () => {
  service.refuse = () => {
    service.refuse = null;
    return json({ code: "field_invalid", title: "Bad Request", status: 400 }, 400);
  };
  const chat = thread("c");
  for (const text of ["one", "two"]) chat.send(text);
  await vi.waitFor(() => expect(said(service)).toEqual(["two"]));
  await idle(chat);
  expect(problem(chat).phase).toBe("failed");
});

test("what waits behind an ended session is sent in order after signing in", async () => {
  service.refuse = () => json({ code: "auth_invalid", title: "Unauthorized", status: 401 }, 401);
  const chat = thread("c");
  for (const text of ["one", "two"]) chat.send(text);
  await vi.waitFor(() => expect(chat.snapshot().items[1]?.turn?.phase).toBe("signed_out"));
  expect(service.keys).toHaveLength(1);
  service.refuse = null;
  chat.retryWaiting();
  await vi.waitFor(() => expect(said(service)).toEqual(["one", "two"]));
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
