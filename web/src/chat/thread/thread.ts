/** State of one conversation: its stored messages and its unanswered turns. Outlives the view that shows it. */

import { ApiError } from "@/api/apiError";
import type { Api } from "@/api/client";
import type { MessageCache, MessageView } from "@/cache/messageCache";
import type { Outbox, PendingTurn } from "@/stream/outbox";
import { isTurnOver, newTurn, type Turn, type TurnEvent, type TurnRequest } from "@/stream/turn";
import type { TurnApi } from "@/stream/turnApi";
import { withTurnLock } from "@/stream/turnLock";
import { TurnRunner } from "@/stream/turnRunner";
import { fetchMessagePage, fetchMessagesBackTo, mergeNewestPage } from "./messageHistory";
import { isHistoryRejected, isStateless, statelessHistory, statelessState } from "./stateless";
import { buildThreadItems, type ThreadItem } from "./threadItems";

export interface ThreadState {
  /** Null until the first message is stored. */
  conversationId: string | null;
  items: readonly ThreadItem[];
  /** What is being fetched. */
  loading: "nothing" | "newest" | "older";
  /** The messages come from the cache; the service has not answered yet. */
  stale: boolean;
  hasOlder: boolean;
  /** Why the messages can't be fetched. */
  problem: ApiError | null;
  /** The turn that is being answered, if any. */
  active: Turn | null;
}

export interface ThreadServices {
  api: Api;
  turnApi: TurnApi;
  cache: MessageCache;
  outbox: Outbox;
  /** A new thread got its conversation id. */
  onConversationCreated(thread: Thread): void;
  /** A turn was answered, so lists elsewhere may be outdated. */
  onAnswered(thread: Thread, turn: Turn): void;
  onTurnEvent(turn: Turn, event: TurnEvent): void;
}

let lastId = 0;

export class Thread {
  /** Identifies the thread on this page. A new thread has no conversation id yet. */
  readonly id = ++lastId;
  #conversationId: string | null;
  #messages: readonly MessageView[] = [];
  #turns: readonly Turn[] = [];
  #loading: ThreadState["loading"] = "nothing";
  #isStale = false;
  #hasOlder = false;
  #isLoaded = false;
  #problem: ApiError | null = null;
  #state: ThreadState;
  #animationFrame: number | null = null;
  #shouldRefreshAgain = false;
  #isDisposed = false;
  readonly #runners = new Map<string, TurnRunner>();
  /** The keys of this page's turns by turn id. */
  readonly #turnKeys = new Map<string, string>();
  readonly #listeners = new Set<() => void>();

  constructor(
    readonly services: ThreadServices,
    conversationId: string | null,
  ) {
    this.#conversationId = conversationId;
    const cached = conversationId ? services.cache.read(conversationId) : null;
    if (cached) {
      this.#messages = cached;
      this.#isStale = true;
    }
    this.#state = this.#buildState();
  }

  get conversationId(): string | null {
    return this.#conversationId;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  snapshot = (): ThreadState => this.#state;

  /** Fetches the newest messages. A call during a refresh makes it run once more afterwards. */
  async refresh(): Promise<void> {
    if (!this.#conversationId) return;
    if (this.#loading === "newest") {
      this.#shouldRefreshAgain = true;
      return;
    }
    this.#loading = "newest";
    this.#problem = null;
    this.#notify();
    try {
      const page = await fetchMessagePage(this.services.api, this.#conversationId);
      if (this.#isDisposed) return;
      const { messages, hasOlder } = mergeNewestPage(
        this.#messages,
        this.#isLoaded ? this.#hasOlder : page.hasOlder,
        page,
      );
      this.#messages = messages;
      this.#hasOlder = hasOlder;
      this.#isLoaded = true;
      this.#isStale = false;
      this.#removeStoredTurns();
      this.services.cache.write(this.#conversationId, messages);
    } catch (error) {
      this.#problem = ApiError.from(error);
    }
    this.#loading = "nothing";
    this.#notify();
    if (this.#shouldRefreshAgain) {
      this.#shouldRefreshAgain = false;
      await this.refresh();
    }
  }

  /** Fetches older messages: one page, or all back to a sequence number. */
  async loadOlder(backTo?: number): Promise<void> {
    const { api } = this.services;
    const [id, first] = [this.#conversationId, this.#messages[0]];
    if (!id || !first || !this.#hasOlder || this.#loading !== "nothing") return;
    this.#loading = "older";
    this.#notify();
    try {
      const { sequence } = first;
      const page = await (backTo === undefined
        ? fetchMessagePage(api, id, sequence)
        : fetchMessagesBackTo(api, id, sequence, backTo));
      this.#messages = [...page.messages, ...this.#messages];
      this.#hasOlder = page.hasOlder;
    } catch (error) {
      this.#problem = ApiError.from(error);
    }
    this.#loading = "nothing";
    this.#notify();
  }

  send(text: string): void {
    const before = statelessHistory(this.#turns);
    const request = { kind: "send", text, conversationId: this.#conversationId } as const;
    const state = statelessState(this.#turns);
    this.#start({ ...request, ...(before ? { before } : {}), ...(state ? { state } : {}) });
  }

  /** Replaces a message of the user. */
  edit(messageId: string, text: string): void {
    if (!this.#conversationId) return;
    this.#start({ kind: "edit", text, conversationId: this.#conversationId, messageId });
  }

  /** Requests another answer. */
  regenerate(messageId: string): void {
    if (!this.#conversationId) return;
    this.#start({ kind: "regenerate", text: "", conversationId: this.#conversationId, messageId });
  }

  /** Retries a turn under the same key. */
  retry(key: string): void {
    const turn = this.#turns.find((each) => each.key === key);
    if (turn && isTurnOver(turn) && turn.phase !== "answered") this.#run(turn);
  }

  /** Removes a turn that was not answered, and returns its text. */
  discard(key: string): string {
    const turn = this.#turns.find((each) => each.key === key);
    this.#runners.get(key)?.disconnect();
    this.services.outbox.remove(key);
    this.#removeTurn(key);
    return turn?.request.text ?? "";
  }

  stop(): void {
    const active = this.#activeTurn();
    if (active) void this.#runners.get(active.key)?.stop();
  }

  /** Resumes a turn of an earlier visit or another tab. */
  resume(pending: PendingTurn): void {
    if (this.#runners.has(pending.key)) return;
    const start = newTurn(pending.key, pending.request, pending.sentAt);
    const turn: Turn = { ...start, turnId: pending.turnId, conversationId: pending.conversationId };
    if (pending.held) this.#setTurn({ ...turn, phase: "failed", error: ApiError.unreachable() });
    else this.#run(turn);
  }

  /** Retries the turns that wait for the network or for a sign-in. */
  retryWaiting(): void {
    for (const turn of this.#turns) {
      if (turn.phase === "signed_out" || (turn.phase === "unsent" && turn.error?.isTransient))
        this.#run(turn);
    }
  }

  /** Stops listening. Nothing is shown or cached from here on. */
  dispose(): void {
    this.#isDisposed = true;
    for (const runner of this.#runners.values()) runner.disconnect();
    if (this.#animationFrame !== null) cancelAnimationFrame(this.#animationFrame);
    this.#listeners.clear();
  }

  #start(request: TurnRequest): void {
    if (this.#activeTurn()) return;
    this.#run(newTurn(crypto.randomUUID(), request, new Date().toISOString()));
  }

  #run(turn: Turn): void {
    const runner = new TurnRunner(this.services.turnApi, turn, (next, event) => this.#onTurn(next, event));
    this.#runners.set(turn.key, runner);
    this.#setTurn(turn);
    this.services.outbox.save(turn);
    // With an id the turn is only polled, which every tab may do. Without one the message would be sent.
    if (turn.turnId) void runner.run();
    else
      void withTurnLock(turn.key, () => runner.run()).then((hasRun) => {
        // Another tab sends it, and the answer will appear in the history.
        if (!hasRun) this.#removeTurn(turn.key);
      });
  }

  #onTurn(turn: Turn, event: TurnEvent): void {
    this.services.onTurnEvent(turn, event);
    if (turn.turnId) this.#turnKeys.set(turn.turnId, turn.key);
    const isChunk = event.type === "frame" && event.frame.event === "chunk";
    if (!isChunk) this.services.outbox.save(turn);
    this.#setTurn(turn, isChunk);
    if (!this.#conversationId && turn.conversationId) {
      this.#conversationId = turn.conversationId;
      this.#isLoaded = true;
      this.#notify();
      this.services.onConversationCreated(this);
    }
    if (turn.phase === "answered") {
      this.#runners.delete(turn.key);
      this.services.onAnswered(this, turn);
      if (!isStateless(turn)) void this.refresh();
    }
    if (isHistoryRejected(turn)) {
      this.discard(turn.key);
      this.#start({ kind: "send", text: turn.request.text, conversationId: turn.request.conversationId });
    }
  }

  #setTurn(turn: Turn, isChunk = false): void {
    const isKnown = this.#turns.some((each) => each.key === turn.key);
    this.#turns = isKnown
      ? this.#turns.map((each) => (each.key === turn.key ? turn : each))
      : [...this.#turns, turn];
    if (isChunk) this.#notifyOnNextFrame();
    else this.#notify();
  }

  #removeTurn(key: string): void {
    this.#runners.delete(key);
    this.#turns = this.#turns.filter((each) => each.key !== key);
    this.#notify();
  }

  /** Removes the turns whose messages are part of the history by now. */
  #removeStoredTurns(): void {
    const stored = new Set(this.#messages.map((message) => message.turn_id));
    this.#turns = this.#turns.filter((turn) => !turn.turnId || !stored.has(turn.turnId));
  }

  #activeTurn(): Turn | null {
    return this.#turns.findLast((turn) => !isTurnOver(turn)) ?? null;
  }

  #buildState(): ThreadState {
    return {
      conversationId: this.#conversationId,
      items: buildThreadItems(this.#messages, this.#turns, this.#turnKeys),
      loading: this.#loading,
      stale: this.#isStale,
      hasOlder: this.#hasOlder,
      problem: this.#problem,
      active: this.#activeTurn(),
    };
  }

  #notify(): void {
    if (this.#animationFrame !== null) cancelAnimationFrame(this.#animationFrame);
    this.#animationFrame = null;
    this.#state = this.#buildState();
    for (const listener of this.#listeners) listener();
  }

  /** Chunks may arrive faster than the screen can show them. */
  #notifyOnNextFrame(): void {
    this.#animationFrame ??= requestAnimationFrame(() => {
      this.#animationFrame = null;
      this.#notify();
    });
  }
}
