/**
 * Sees a turn through: sends it, reads its stream, and asks for the rest when the connection broke. A message is
 * sent again under the same key only, so it is stored and answered once however often the network fails.
 */

import { ApiError } from "@/api/apiError";
import { type Frame, isAccepted, isFinalFrame, isReply, parseFrame, parseStoredFrame } from "./frames";
import { EventParser } from "./sse";
import {
  isTurnOver,
  newTurn,
  type Reply,
  reduceTurn,
  type Turn,
  type TurnEvent,
  type TurnRequest,
  toReply,
} from "./turn";

/** How far a turn is, as `GET /v1/turns/{id}?after=` tells it. */
export interface TurnProgress {
  conversation_id: string;
  state: "queued" | "running" | "done";
  message: { id: string; content: string; created_at: string; metadata: Record<string, unknown> } | null;
  /** What was said after the event asked for; null: the service keeps none. */
  events: readonly unknown[];
}

/** What a turn needs of the world. */
export interface TurnApi {
  /** Sends the request. Rejects when nobody answered. */
  post(request: TurnRequest, key: string, signal: AbortSignal): Promise<Response>;
  /** Rejects with an `ApiError`. */
  progress(turnId: string, after: number): Promise<TurnProgress>;
  stop(turnId: string): Promise<void>;
  sleep(ms: number): Promise<void>;
}

/** The heartbeat comes every 10 s; whoever is silent for longer than this is gone. */
const SILENT_MS = 25_000;
const TRY_AGAIN_AFTER_MS = [800, 2_500, 6_000] as const;
/** Longer nobody sits before a message that is not sent, such as until the day is over: it is said at once. */
const LONGEST_WAIT_S = 60;
const ASK_EVERY_MS = [250, 500, 1_000, 2_000] as const;
/** Refusals under which the turn is being answered for an earlier try of ours. */
const UNDER_WAY = "idempotency_in_progress";

/** One turn on its way. `onChange` hears of every state, `turn` is the latest. */
export class TurnRunner {
  #turn: Turn;
  #running = false;
  #over = new AbortController();

  constructor(
    readonly port: TurnApi,
    start: Turn | { key: string; request: TurnRequest; sentAt: string },
    readonly onChange: (turn: Turn, event: TurnEvent) => void,
  ) {
    this.#turn = "phase" in start ? start : newTurn(start.key, start.request, start.sentAt);
  }

  get turn(): Turn {
    return this.#turn;
  }

  /** Runs until the turn is over; also takes up again what was cut or not sent. */
  async run(): Promise<Turn> {
    if (this.#running || this.#turn.phase === "answered") return this.#turn;
    this.#running = true;
    this.#over = new AbortController();
    try {
      this.#apply({ type: "sending" });
      if (!this.#turn.turnId) await this.#send();
      if (!isTurnOver(this.#turn) && !this.#over.signal.aborted) await this.#follow();
    } finally {
      this.#running = false;
    }
    return this.#turn;
  }

  /** Ends the answer where it is. What was said is kept. */
  async stop(): Promise<void> {
    if (this.#turn.isStopping || isTurnOver(this.#turn)) return;
    this.#apply({ type: "stopping" });
    if (this.#turn.turnId) await this.#askToStop(this.#turn.turnId);
  }

  /** Stops listening, e.g. because the user signed out. The turn itself goes on. */
  disconnect(): void {
    this.#over.abort();
  }

  #apply(event: TurnEvent): void {
    if (this.#over.signal.aborted) return;
    const before = this.#turn;
    this.#turn = reduceTurn(before, event);
    if (this.#turn === before) return;
    this.onChange(this.#turn, event);
    // Stopped before anybody could say which turn it is.
    if (this.#turn.isStopping && !before.turnId && this.#turn.turnId) void this.#askToStop(this.#turn.turnId);
  }

  async #askToStop(turnId: string): Promise<void> {
    try {
      await this.port.stop(turnId);
    } catch {
      this.#apply({ type: "stop_refused" });
    }
  }

  /** Sends until somebody confirms that the message is stored, or it is not worth trying. */
  async #send(): Promise<void> {
    for (let tries = 0; !this.#over.signal.aborted; tries++) {
      const error = await this.#post();
      if (!error) return;
      if (error.status === 401) return this.#apply({ type: "signed_out" });
      const wait = TRY_AGAIN_AFTER_MS[tries];
      const underWay = error.code === UNDER_WAY;
      if (!error.isTransient && !underWay) return this.#apply({ type: "failed", error });
      if (underWay) await this.port.sleep(TRY_AGAIN_AFTER_MS[Math.min(tries, 1)] ?? 0);
      else if (wait === undefined || (error.retryAfterS ?? 0) > LONGEST_WAIT_S)
        return this.#apply({ type: "unsent", error });
      else await this.port.sleep(Math.max(wait, (error.retryAfterS ?? 0) * 1000));
    }
  }

  /** Sends once and hears the answer; what went wrong before the message was known to be stored is returned. */
  async #post(): Promise<ApiError | null> {
    let response: Response;
    try {
      response = await this.port.post(this.#turn.request, this.#turn.key, this.#over.signal);
    } catch (error) {
      return ApiError.from(error);
    }
    if (!response.ok) return ApiError.fromResponse(await body(response), response.status, response.headers);
    if (isStream(response)) await this.#listen(response);
    else await this.#hearWhole(response);
    return this.#turn.turnId || isTurnOver(this.#turn) ? null : ApiError.unreachable();
  }

  async #hearWhole(response: Response): Promise<void> {
    const answer = await body(response);
    if (isReply(answer)) {
      const where = { turnId: answer.metadata.turn_id, conversationId: answer.conversation_id };
      this.#apply({ type: "answered", reply: toReply(answer), ...where });
    } else if (isAccepted(answer)) {
      this.#apply({ type: "queued", turnId: answer.turn_id, conversationId: answer.conversation_id });
    }
  }

  /** Hears the stream to its end or its break. */
  async #listen(response: Response): Promise<void> {
    const parser = new EventParser();
    const reader = response.body?.getReader();
    if (!reader) return;
    try {
      for (;;) {
        const { done, value } = await withTimeout(reader.read(), SILENT_MS);
        if (done || this.#over.signal.aborted) break;
        for (const event of parser.push(value)) {
          const frame = parseFrame(event);
          // A frame that can't be read leaves a gap in the ids, by which `reduce` knows.
          if (frame) this.#apply({ type: "frame", frame });
          if (frame && isFinalFrame(frame)) return;
        }
      }
    } catch {
      // Broken or silent; whether that matters shows in what was heard.
    } finally {
      void reader.cancel().catch(() => undefined);
    }
    if (this.#turn.turnId && !isTurnOver(this.#turn)) this.#apply({ type: "cut" });
  }

  /** Asks how far the turn is until it is over. */
  async #follow(): Promise<void> {
    for (let asked = 0; !isTurnOver(this.#turn) && !this.#over.signal.aborted; asked++) {
      const heardBefore = this.#turn.lastEventId;
      try {
        this.#hearProgress(await this.port.progress(this.#turn.turnId ?? "", heardBefore));
      } catch (cause) {
        const error = ApiError.from(cause);
        if (error.status === 401) return this.#apply({ type: "signed_out" });
        // Where no history is kept nobody knows the turn any more.
        if (!error.isTransient) return this.#apply({ type: "unsent", error });
      }
      if (this.#turn.lastEventId > heardBefore) asked = 0;
      if (!isTurnOver(this.#turn))
        await this.port.sleep(ASK_EVERY_MS[Math.min(asked, ASK_EVERY_MS.length - 1)] ?? 0);
    }
  }

  #hearProgress(progress: TurnProgress): void {
    if (progress.state === "done" && progress.message) {
      const { id, content, created_at, metadata } = progress.message;
      const reply: Reply = { id, content, createdAt: created_at, metadata };
      const where = { turnId: this.#turn.turnId ?? "", conversationId: progress.conversation_id };
      return this.#apply({ type: "answered", reply, ...where });
    }
    const frames = progress.events.map(parseStoredFrame).filter((frame): frame is Frame => frame !== null);
    for (const frame of frames) if (frame.event !== "accepted") this.#apply({ type: "frame", frame });
    if (progress.state === "running" && this.#turn.phase !== "running") this.#apply({ type: "resumed" });
  }
}

function isStream(response: Response): boolean {
  return (response.headers.get("Content-Type") ?? "").startsWith("text/event-stream");
}

async function body(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

/** The promise's value, or a rejection when it takes too long. */
function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("silent")), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
