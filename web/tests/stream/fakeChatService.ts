/** A chat service over real HTTP that answers one message and cuts its stream wherever a test wants. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const ANSWER = "Grüße! **Here** is what I found:\n\n1. one 👋\n2. two\n\n```py\nprint('hi')\n```";
const TURN = { turn_id: "conv.turn", conversation_id: "conv" };

const MESSAGE = { id: "2-m", role: "assistant", content: ANSWER, created_at: "2026-01-01T00:00:01Z" };
const METADATA = { persisted: true, turn_id: TURN.turn_id, trace_id: "t", tool_calls: [], usage: {} };

interface Kept {
  id: number;
  event: string;
  data: unknown;
}

/** All that is told of the turn, in order. */
export const TOLD: readonly Kept[] = [
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

const frames = TOLD.map(
  (kept) => `id: ${kept.id}\nevent: ${kept.event}\ndata: ${JSON.stringify(kept.data)}\n\n`,
);

export const STREAM = new TextEncoder().encode(
  [...frames.slice(0, 5), ": keep-alive\n\n", ...frames.slice(5)].join(""),
);

export interface Service {
  origin: string;
  /** The stream breaks after so many bytes; null: it comes whole. */
  cutAfter: number | null;
  /** What the stream says instead of `STREAM`. */
  stream: Uint8Array;
  /** How often the answer is asked after before it is there. */
  polls: number;
  /** Answers to give before the real one, in order. */
  refusals: { status: number; body?: unknown; headers?: Record<string, string> }[];
  /** Connections to break before anything is said. */
  drops: number;
  /** The keys that a message was sent under. */
  keys: string[];
  asked: number[];
  stopped: string[];
  /** How often a message was really answered: once per key. */
  answers: number;
  /** Forgets every message and what was asked. */
  forget(): void;
  close(): Promise<void>;
}

export async function serve(): Promise<Service> {
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const service: Service = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutAfter: null,
    stream: STREAM,
    polls: 1,
    refusals: [],
    drops: 0,
    keys: [],
    asked: [],
    stopped: [],
    answers: 0,
    forget: () => {
      seen.clear();
      Object.assign(service, { keys: [], asked: [], answers: 0 });
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
    const refusal = service.refusals.shift();
    if (service.drops > 0) {
      service.drops--;
      request.socket.destroy();
    } else if (refusal) {
      response.writeHead(refusal.status, { "Content-Type": "application/problem+json", ...refusal.headers });
      response.end(JSON.stringify(refusal.body ?? {}));
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
    const said = service.stream.slice(0, service.cutAfter);
    service.cutAfter = null;
    if (said.length === 0) request.socket.destroy();
    else response.write(said, () => request.socket.destroySoon());
  }

  function progress(url: URL, response: ServerResponse): void {
    const after = Number(url.searchParams.get("after"));
    service.asked.push(after);
    const isDone = ++polled > service.polls;
    // Kept frames come in flushes; the last ones may never be kept.
    const kept = TOLD.filter((each) => each.id > after && each.event !== "done").slice(0, 5);
    json(response, 200, {
      ...TURN,
      state: isDone ? "done" : "running",
      message: isDone ? { ...MESSAGE, metadata: METADATA } : null,
      events: isDone ? [] : kept,
      last_event_id: after,
    });
  }

  return service;
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}
