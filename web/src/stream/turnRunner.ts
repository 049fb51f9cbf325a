/**
 * Runs a turn to its end: sends it, reads its event stream, and polls for the rest if the connection breaks.
 * Retries use the same idempotency key, so the message is stored and answered once.
 */

import { createParser, type EventSourceMessage } from "eventsource-parser";
import { ApiError } from "@/api/apiError";
import { type Frame, isAccepted, isFinalFrame, isReply, parseFrame, parseStoredFrame } from "./frames";
import { isTurnOver, type Reply, reduceTurn, type Turn, type TurnEvent, toReply } from "./turn";
import type { TurnApi, TurnProgress } from "./turnApi";

/** The service sends a heartbeat every 10 s, so a longer silence means a broken connection. */
const SILENCE_TIMEOUT_MS = 25_000;
const RETRY_DELAYS_MS = [800, 2_500, 6_000] as const;
/** If the service asks for a longer wait, for example until tomorrow, the turn fails at once. */
const MAX_RETRY_AFTER_S = 60;
const POLL_DELAYS_MS = [250, 500, 1_000, 2_000] as const;
/** The error code for a turn that an earlier try has already started. */
const IN_PROGRESS = "idempotency_in_progress";

export class TurnRunner {
  #turn: Turn;
  #isRunning = false;
  #abort = new AbortController();

  /** `onChange` is called with every new state. */
  constructor(
    readonly api: TurnApi,
    start: Turn,
    readonly onChange: (turn: Turn, event: TurnEvent) => void,
  ) {
    this.#turn = start;
  }

  /** The latest state. */
  get turn(): Turn {
    return this.#turn;
  }

  /** Runs until the turn is over. Also resumes a turn that was interrupted or not sent. */
  async run(): Promise<Turn> {
    if (this.#isRunning || this.#turn.phase === "answered") return this.#turn;
    this.#isRunning = true;
    this.#abort = new AbortController();
    try {
      this.#apply({ type: "sending" });
      if (!this.#turn.turnId) await this.#send();
      if (!isTurnOver(this.#turn) && !this.#abort.signal.aborted) await this.#poll();
    } finally {
      this.#isRunning = false;
    }
    return this.#turn;
  }

  /** Stops the answer. The text so far is kept. */
  async stop(): Promise<void> {
    if (this.#turn.isStopping || isTurnOver(this.#turn)) return;
    this.#apply({ type: "stopping" });
    if (this.#turn.turnId) await this.#requestStop(this.#turn.turnId);
  }

  /** Stops listening, for example because the user signed out. The turn itself continues. */
  disconnect(): void {
    this.#abort.abort();
  }

  #apply(event: TurnEvent): void {
    if (this.#abort.signal.aborted) return;
    const before = this.#turn;
    this.#turn = reduceTurn(before, event);
    if (this.#turn === before) return;
    this.onChange(this.#turn, event);
    // The user stopped the turn before its id was known.
    if (this.#turn.isStopping && !before.turnId && this.#turn.turnId)
      void this.#requestStop(this.#turn.turnId);
  }

  async #requestStop(turnId: string): Promise<void> {
    try {
      await this.api.stop(turnId);
    } catch {
      this.#apply({ type: "stop_refused" });
    }
  }

  /** Sends the request until the service confirms it, or retrying is pointless. */
  async #send(): Promise<void> {
    for (let tries = 0; !this.#abort.signal.aborted; tries++) {
      const error = await this.#post();
      if (!error) return;
      if (error.status === 401) return this.#apply({ type: "signed_out" });
      const delay = RETRY_DELAYS_MS[tries];
      const isInProgress = error.code === IN_PROGRESS;
      if (!error.isTransient && !isInProgress) return this.#apply({ type: "failed", error });
      if (isInProgress) await this.api.sleep(RETRY_DELAYS_MS[Math.min(tries, 1)] ?? 0);
      else if (delay === undefined || (error.retryAfterS ?? 0) > MAX_RETRY_AFTER_S)
        return this.#apply({ type: "unsent", error });
      else await this.api.sleep(Math.max(delay, (error.retryAfterS ?? 0) * 1000));
    }
  }

  /** Sends the request once and reads the response. Returns the error if the message may not be stored. */
  async #post(): Promise<ApiError | null> {
    let response: Response;
    try {
      response = await this.api.post(this.#turn.request, this.#turn.key, this.#abort.signal);
    } catch (error) {
      return ApiError.from(error);
    }
    if (!response.ok)
      return ApiError.fromResponse(await readJson(response), response.status, response.headers);
    if (isEventStream(response)) await this.#readStream(response);
    else await this.#readReply(response);
    return this.#turn.turnId || isTurnOver(this.#turn) ? null : ApiError.unreachable();
  }

  async #readReply(response: Response): Promise<void> {
    const body = await readJson(response);
    if (isReply(body)) {
      const ids = { turnId: body.metadata.turn_id, conversationId: body.conversation_id };
      this.#apply({ type: "answered", reply: toReply(body), ...ids });
    } else if (isAccepted(body)) {
      this.#apply({ type: "queued", turnId: body.turn_id, conversationId: body.conversation_id });
    }
  }

  /** Reads the stream until it ends or breaks. */
  async #readStream(response: Response): Promise<void> {
    const reader = response.body?.getReader();
    if (!reader) return;
    const decoder = new TextDecoder();
    const events: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (event) => events.push(event) });
    try {
      for (;;) {
        const { done, value } = await withTimeout(reader.read(), SILENCE_TIMEOUT_MS);
        if (done || this.#abort.signal.aborted) break;
        parser.feed(decoder.decode(value, { stream: true }));
        for (const event of events.splice(0)) {
          const frame = parseFrame(event);
          // A frame that can't be parsed leaves a gap in the ids, which `reduceTurn` notices.
          if (frame) this.#apply({ type: "frame", frame });
          if (frame && isFinalFrame(frame)) return;
        }
      }
    } catch {
      // The connection broke or timed out. What follows depends on the turn's state.
    } finally {
      void reader.cancel().catch(() => undefined);
    }
    if (this.#turn.turnId && !isTurnOver(this.#turn)) this.#apply({ type: "cut" });
  }

  /** Polls the turn's progress until it is over. */
  async #poll(): Promise<void> {
    for (let polls = 0; !isTurnOver(this.#turn) && !this.#abort.signal.aborted; polls++) {
      const lastEventId = this.#turn.lastEventId;
      try {
        this.#applyProgress(await this.api.progress(this.#turn.turnId ?? "", lastEventId));
      } catch (cause) {
        const error = ApiError.from(cause);
        if (error.status === 401) return this.#apply({ type: "signed_out" });
        // Without a stored history, the service no longer knows the turn.
        if (!error.isTransient) return this.#apply({ type: "unsent", error });
      }
      if (this.#turn.lastEventId > lastEventId) polls = 0;
      if (!isTurnOver(this.#turn))
        await this.api.sleep(POLL_DELAYS_MS[Math.min(polls, POLL_DELAYS_MS.length - 1)] ?? 0);
    }
  }

  #applyProgress(progress: TurnProgress): void {
    if (progress.state === "done" && progress.message) {
      const { id, content, created_at, metadata } = progress.message;
      const reply: Reply = { id, content, createdAt: created_at, metadata };
      const ids = { turnId: this.#turn.turnId ?? "", conversationId: progress.conversation_id };
      return this.#apply({ type: "answered", reply, ...ids });
    }
    const frames = progress.events.map(parseStoredFrame).filter((frame): frame is Frame => frame !== null);
    for (const frame of frames) if (frame.event !== "accepted") this.#apply({ type: "frame", frame });
    if (progress.state === "running" && this.#turn.phase !== "running") this.#apply({ type: "resumed" });
  }
}

function isEventStream(response: Response): boolean {
  return (response.headers.get("Content-Type") ?? "").startsWith("text/event-stream");
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

/** The promise's value, or a rejection if it takes too long. */
function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("timeout")), ms);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
