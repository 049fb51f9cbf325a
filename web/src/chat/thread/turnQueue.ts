/**
 * The turns of one thread that its history does not hold yet, in the order they were typed. One at a time is sent;
 * the others wait in the browser's storage, where they can still be changed.
 */

import { ApiError } from "@/api/apiError";
import type { Outbox, PendingTurn } from "@/stream/outbox";
import {
  isTurnActive,
  isTurnOver,
  newTurn,
  type Turn,
  type TurnEvent,
  type TurnRequest,
} from "@/stream/turn";
import type { TurnApi } from "@/stream/turnApi";
import { withTurnLock } from "@/stream/turnLock";
import { TurnRunner } from "@/stream/turnRunner";

/** How long the queue waits before it tries again by itself what could not be sent. */
const RETRY_AFTER_MS = [5_000, 10_000, 20_000, 30_000] as const;
/** A refusal for longer, for example until tomorrow, is left to the user. */
const MAX_RETRY_AFTER_S = 60;

interface QueueOptions {
  turnApi: TurnApi;
  outbox: Outbox;
  /** Completes a request with what is known only when it is sent. */
  prepare(request: TurnRequest): TurnRequest;
  /** A turn changed by an event. */
  onTurn(turn: Turn, event: TurnEvent): void;
  /** The turns changed otherwise. */
  onChange(): void;
}

export class TurnQueue {
  #turns: readonly Turn[] = [];
  #editedKey: string | null = null;
  #isDisposed = false;
  #failures = 0;
  readonly #runners = new Map<string, TurnRunner>();
  /** Ends the lock of every turn that this tab may send. */
  readonly #locks = new Map<string, () => void>();

  constructor(readonly options: QueueOptions) {}

  /** In the order they are sent. */
  get turns(): readonly Turn[] {
    return this.#turns;
  }

  /** The turn that is being sent or answered, if any. */
  get active(): Turn | null {
    return this.#turns.find(isTurnActive) ?? null;
  }

  /** Whether a turn is still to be sent or answered. */
  get isBusy(): boolean {
    return this.#turns.some((turn) => !isTurnOver(turn));
  }

  get isEmpty(): boolean {
    return this.#turns.length === 0;
  }

  /** Adds a turn to the end. */
  add(request: TurnRequest): void {
    this.#add(newTurn(crypto.randomUUID(), request, this.options.outbox.nextTime()));
  }

  /** Takes up a turn of an earlier visit. */
  resume({ key, request, sentAt, turnId, conversationId, posted, held }: PendingTurn): void {
    if (this.#find(key)) return;
    const turn: Turn = { ...newTurn(key, request, sentAt), turnId, conversationId, isPosted: posted };
    if (held) this.#append({ ...turn, phase: "failed", error: ApiError.unreachable() });
    else this.#add(turn);
  }

  /** Sends a turn again, under the same key. */
  retry(key: string): void {
    const turn = this.#find(key);
    if (turn && isTurnOver(turn) && turn.phase !== "answered") this.#requeue([turn]);
  }

  /** Sends again what waits for the network or for a sign-in. */
  retryWaiting(): void {
    this.#failures = 0;
    this.#requeue(
      this.#turns.filter(
        ({ phase, error }) => phase === "signed_out" || (phase === "unsent" && error?.isTransient),
      ),
    );
  }

  /** Holds a waiting turn back while its text is edited; null ends that. */
  edit(key: string | null): void {
    this.#editedKey = key;
    if (key === null) this.#sendNext();
  }

  /** Changes the text of a turn that was not sent yet. Returns whether it did. */
  rewrite(key: string, text: string): boolean {
    const turn = this.#find(key);
    if (!turn || turn.isPosted || turn.request.kind !== "send") return false;
    this.#save({ ...turn, request: { ...turn.request, text } });
    return true;
  }

  /** Replaces a turn that was rejected by another, in its place. */
  replace(key: string, request: TurnRequest): void {
    const turn = this.#find(key);
    if (!turn) return;
    const next = newTurn(crypto.randomUUID(), request, turn.sentAt);
    this.#turns = this.#turns.map((each) => (each === turn ? next : each));
    this.#forget(key);
    this.options.outbox.save(next);
    this.#claim(next.key);
  }

  /** Removes a turn that was not answered, and returns its text. */
  discard(key: string): string {
    const text = this.#find(key)?.request.text ?? "";
    this.#runners.get(key)?.disconnect();
    this.#forget(key);
    this.#remove([key]);
    this.#sendNext();
    return text;
  }

  stop(): void {
    const { active } = this;
    if (active) void this.#runners.get(active.key)?.stop();
  }

  /** The conversation of a new thread is known. What waits belongs to it, even after a reload. */
  assignConversation(conversationId: string): void {
    for (const turn of this.#turns)
      if (!turn.isPosted && turn.request.kind === "send")
        this.#save({ ...turn, conversationId, request: { ...turn.request, conversationId } });
  }

  /** Removes the turns that are part of the history. */
  removeStored(turnIds: ReadonlySet<string>): void {
    this.#remove(this.#turns.filter(({ turnId }) => turnId && turnIds.has(turnId)).map(({ key }) => key));
  }

  /** Stops listening. The turns themselves continue. */
  dispose(): void {
    this.#isDisposed = true;
    for (const runner of this.#runners.values()) runner.disconnect();
    for (const release of this.#locks.values()) release();
  }

  #find(key: string): Turn | undefined {
    return this.#turns.find((turn) => turn.key === key);
  }

  #add(added: Turn): void {
    const isFirst = this.#turns.every(isSettled);
    const turn: Turn = isFirst ? added : { ...added, phase: "waiting" };
    this.#append(turn);
    this.options.outbox.save(turn);
    // With an id the turn is only polled, which every tab may do. Without one the message would be sent.
    if (turn.turnId) this.#run(turn);
    else this.#claim(turn.key);
  }

  #append(turn: Turn): void {
    const later = this.#turns.findIndex(({ sentAt }) => sentAt > turn.sentAt);
    this.#turns = this.#turns.toSpliced(later < 0 ? this.#turns.length : later, 0, turn);
    this.options.onChange();
  }

  #remove(keys: readonly string[]): void {
    this.#turns = this.#turns.filter(({ key }) => !keys.includes(key));
    this.options.onChange();
  }

  #requeue(turns: readonly Turn[]): void {
    for (const turn of turns) this.#save({ ...turn, phase: "waiting", error: null });
    this.#sendNext();
  }

  /** Replaces the turn by its next state. */
  #set(turn: Turn): void {
    this.#turns = this.#turns.map((each) => (each.key === turn.key ? turn : each));
  }

  #save(turn: Turn): void {
    this.#set(turn);
    this.options.outbox.save(turn);
    this.options.onChange();
  }

  /** Has this tab send the turn, unless another one does. */
  #claim(key: string): void {
    let wasElsewhere: Turn | undefined;
    const onElsewhere = () => {
      wasElsewhere = this.#find(key);
      this.#remove([key]);
      this.#sendNext();
    };
    const work = async () => {
      if (this.#isDisposed) return;
      if (wasElsewhere) {
        // The other tab is done with it, or was closed before.
        if (!this.options.outbox.has(key)) return;
        this.#append(wasElsewhere);
      } else if (!this.#find(key)) return;
      await new Promise<void>((release) => {
        this.#locks.set(key, release);
        this.#sendNext();
      });
    };
    void withTurnLock(key, onElsewhere, work);
  }

  /** Sends the first turn that waits, unless one before it is not answered yet. */
  #sendNext(): void {
    const turn = this.#turns.find((each) => !isSettled(each));
    if (!turn || this.#isDisposed || isTurnOver(turn) || this.#runners.has(turn.key)) return;
    if (turn.key === this.#editedKey) return;
    if (turn.turnId) this.#run(turn);
    else if (this.#locks.has(turn.key))
      this.#run(turn.isPosted ? turn : { ...turn, request: this.options.prepare(turn.request) });
  }

  #run(turn: Turn): void {
    const runner = new TurnRunner(this.options.turnApi, turn, (next, event) => this.#onTurn(next, event));
    this.#runners.set(turn.key, runner);
    void runner.run();
  }

  #onTurn(turn: Turn, event: TurnEvent): void {
    this.#set(turn);
    if (event.type !== "frame" || event.frame.event !== "chunk") this.options.outbox.save(turn);
    this.options.onTurn(turn, event);
    if (isTurnOver(turn)) this.#runners.delete(turn.key);
    if (turn.phase === "answered") this.#forget(turn.key);
    if (turn.phase === "answered" || turn.turnId) this.#failures = 0;
    if (turn.phase === "unsent") this.#retryLater(turn);
    if (isTurnOver(turn)) this.#sendNext();
  }

  #retryLater({ key, error }: Turn): void {
    if (!error?.isTransient || (error.retryAfterS ?? 0) > MAX_RETRY_AFTER_S) return;
    const ms = RETRY_AFTER_MS[Math.min(this.#failures++, RETRY_AFTER_MS.length - 1)] ?? 0;
    void this.options.turnApi.untilRetry(ms).then(() => {
      if (!this.#isDisposed && this.#find(key)?.phase === "unsent") this.retry(key);
    });
  }

  /** The turn is answered or removed. */
  #forget(key: string): void {
    this.options.outbox.remove(key);
    this.#runners.delete(key);
    this.#locks.get(key)?.();
    this.#locks.delete(key);
    if (this.#editedKey === key) this.#editedKey = null;
  }
}

/** Whether nothing more will come of the turn, so that later ones need not wait for it. */
const isSettled = ({ phase, error }: Turn): boolean =>
  phase === "answered" || phase === "failed" || (phase === "unsent" && error?.isTransient === false);
