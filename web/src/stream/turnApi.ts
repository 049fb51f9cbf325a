/** API client for turns: sends messages, edits and regenerations, polls their progress, and stops them. */

import { ApiError } from "@/api/apiError";
import { authorizedFetch, type TokenSource } from "@/api/client";
import type { AttachedFile } from "@/attachments/upload";
import { localTimeZone } from "@/dates";
import type { TurnRequest } from "./turn";

/** The answer of `GET /v1/turns/{id}?after=`. */
export interface TurnProgress {
  conversation_id: string;
  state: "queued" | "running" | "done";
  message: { id: string; content: string; created_at: string; metadata: Record<string, unknown> } | null;
  /** The events after the given one, if the service stores them. */
  events: readonly unknown[];
}

/** The requests a turn needs, and a clock that tests can replace. */
export interface TurnApi {
  /** Sends the request. Rejects if there is no response. */
  post(request: TurnRequest, key: string, signal: AbortSignal): Promise<Response>;
  /** Rejects with an `ApiError`. */
  progress(turnId: string, after: number): Promise<TurnProgress>;
  stop(turnId: string): Promise<void>;
  sleep(ms: number): Promise<void>;
  /** Waits before a message is tried once more: until the time is over, and never without a network. */
  untilRetry(ms: number): Promise<void>;
}

export function createTurnApi(origin: string, tokens: TokenSource, fetcher?: typeof fetch): TurnApi {
  const send = authorizedFetch(tokens, fetcher);
  const url = (path: string) => `${origin}${path}`;

  async function json(path: string, init?: RequestInit): Promise<unknown> {
    const response = await send(url(path), init).catch((error: unknown) => {
      throw ApiError.from(error);
    });
    const answer: unknown = await response.json().catch(() => null);
    if (!response.ok) throw ApiError.fromResponse(answer, response.status, response.headers);
    return answer;
  }

  return {
    post(request, key, signal) {
      const { path, body } = routeOf(request);
      const headers = {
        "Content-Type": "application/json",
        Accept: "text/event-stream, application/json",
        "Idempotency-Key": key,
      };
      return send(url(path), { method: "POST", headers, body: JSON.stringify(body), signal });
    },
    async progress(turnId, after) {
      const answer = await json(`/v1/turns/${encodeURIComponent(turnId)}?after=${after}`);
      return { events: [], ...(answer as Partial<TurnProgress>) } as TurnProgress;
    },
    async stop(turnId) {
      await json(`/v1/turns/${encodeURIComponent(turnId)}/stop`, { method: "POST" });
    },
    sleep: sleepOrOnline,
    async untilRetry(ms) {
      do await sleepOrOnline(ms);
      while (!navigator.onLine);
    },
  };
}

/** Waits until the time is over or the network is back. */
function sleepOrOnline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener("online", done);
  });
}

function routeOf(request: TurnRequest): { path: string; body: Record<string, unknown> } {
  const time_zone = localTimeZone();
  if (request.kind === "send") {
    const { text: message, conversationId, before, state, files } = request;
    const conversation = conversationId ? { conversation_id: conversationId } : {};
    const history = { ...(before ? { conversation_history: before } : {}), ...(state ? { state } : {}) };
    return {
      path: "/v1/chat/stream",
      body: { message, time_zone, ...conversation, ...history, ...attachmentsOf(files) },
    };
  }
  const { conversationId, messageId, kind, text } = request;
  const message = `/v1/conversations/${encodeURIComponent(conversationId)}/messages/${encodeURIComponent(messageId)}`;
  return {
    path: `${message}/${kind}/stream`,
    body:
      request.kind === "edit" ? { message: text, time_zone, ...attachmentsOf(request.files) } : { time_zone },
  };
}

function attachmentsOf(files: readonly AttachedFile[] = []): Record<string, unknown> {
  return files.length > 0 ? { attachments: files.map(({ id }) => ({ type: "attachment", id })) } : {};
}
