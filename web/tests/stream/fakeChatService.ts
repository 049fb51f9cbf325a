/** A fake chat service over HTTP, which answers one message and breaks its stream where a test wants. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const ANSWER = "Grüße! **Here** is what I found:\n\n1. one 👋\n2. two\n\n```py\nprint('hi')\n```";
const TURN = { turn_id: "conv.turn", conversation_id: "conv" };

const MESSAGE = { id: "2-m", role: "assistant", content: ANSWER, created_at: "2026-01-01T00:00:01Z" };
const METADATA = { persisted: true, turn_id: TURN.turn_id, trace_id: "t", tool_calls: [], usage: {} };

interface StoredEvent {
  id: number;
  event: string;
  data: unknown;
}

/** All events of the turn, in order. */
const EVENTS: readonly StoredEvent[] = [
  ["turn", { ...TURN, created: true }],
  ["thinking", { stage: "reading" }],
  ["thinking", { stage: "understanding" }],
  ["decision", { action_type: "query_info", confidence: 0.9, source: "model" }],
  ["thinking", { stage: "answering" }],
  ["chunk", { text: "This is" }],
  ["thinking", { stage: "restarting" }],
  ["tool", { name: "web_search", ok: true, elapsed_ms: 12 }],
  ...(ANSWER.match(/[\s\S]{1,11}/gu) ?? []).map((text) => ["chunk", { text }]),
  ["thinking", { stage: "storing" }],
  ["done", { conversation_id: TURN.conversation_id, message: MESSAGE, metadata: METADATA }],
].map(([event, data], index) => ({ id: index + 1, event: event as string, data }));

const frames = EVENTS.map(
  ({ id, event, data }) => `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
);

export const STREAM = new TextEncoder().encode(
  [...frames.slice(0, 5), ": keep-alive\n\n", ...frames.slice(5)].join(""),
);

export interface FakeChatService {
  origin: string;
  /** The stream breaks after this many bytes; null if it does not break. */
  cutAfter: number | null;
  /** The stream; `STREAM` by default. */
  stream: Uint8Array;
  /** The number of polls before the answer is there. */
  polls: number;
  /** Error responses to send first, in order. */
  errors: { status: number; body?: unknown; headers?: Record<string, string> }[];
  /** The number of connections to break before the response. */
  drops: number;
  /** The idempotency keys received. */
  keys: string[];
  /** The `after` parameters of the polls. */
  polledAfter: number[];
  stopped: string[];
  /** How many messages were answered: one per key. */
  answers: number;
  /** Forgets all messages and requests. */
  reset(): void;
  close(): Promise<void>;
}

export async function serve(): Promise<FakeChatService> {
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const service: FakeChatService = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutAfter: null,
    stream: STREAM,
    polls: 1,
    errors: [],
    drops: 0,
    keys: [],
    polledAfter: [],
    stopped: [],
    answers: 0,
    reset: () => {
      seen.clear();
      Object.assign(service, { keys: [], polledAfter: [], answers: 0 });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  let polled = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", service.origin);
    for await (const _ of request);
    const error = service.errors.shift();
    if (service.drops > 0) {
      service.drops--;
      request.socket.destroy();
    } else if (error) {
      response.writeHead(error.status, { "Content-Type": "application/problem+json", ...error.headers });
      response.end(JSON.stringify(error.body ?? {}));
    } else if (url.pathname.endsWith("/stop")) {
      service.stopped.push(url.pathname);
      json(response, 202, { turn_id: TURN.turn_id, state: "running" });
    } else if (request.method === "POST") {
      post(request, response);
    } else {
      progress(url, response);
    }
  }

  function post(request: IncomingMessage, response: ServerResponse): void {
    const key = String(request.headers["idempotency-key"]);
    service.keys.push(key);
    if (!seen.has(key)) service.answers++;
    seen.add(key);
    polled = 0;
    response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8" });
    if (service.cutAfter === null) {
      response.end(service.stream);
      return;
    }
    response.flushHeaders();
    const sent = service.stream.slice(0, service.cutAfter);
    service.cutAfter = null;
    if (sent.length === 0) request.socket.destroy();
    else response.write(sent, () => request.socket.destroySoon());
  }

  function progress(url: URL, response: ServerResponse): void {
    const after = Number(url.searchParams.get("after"));
    service.polledAfter.push(after);
    const isDone = ++polled > service.polls;
    // Events are stored in batches, and the last ones may never be stored.
    const stored = EVENTS.filter((each) => each.id > after && each.event !== "done").slice(0, 5);
    json(response, 200, {
      ...TURN,
      state: isDone ? "done" : "running",
      message: isDone ? { ...MESSAGE, metadata: METADATA } : null,
      events: isDone ? [] : stored,
      last_event_id: after,
    });
  }

  return service;
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}
