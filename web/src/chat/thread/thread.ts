/** One conversation as it is shown: its stored messages and what is under way in it. Lives longer than its view. */

import { ApiError } from "@/api/apiError";
import type { Api } from "@/api/client";
import type { MessageCache, MessageView } from "@/cache/messageCache";
import type { Outbox, PendingTurn } from "@/stream/outbox";
import { isTurnOver, newTurn, type Turn, type TurnEvent, type TurnRequest } from "@/stream/turn";
import { withTurnLock } from "@/stream/turnLock";
import { type TurnApi, TurnRunner } from "@/stream/turnRunner";
import { fetchMessagePage, fetchMessagesBackTo, mergeNewestPage } from "./messageHistory";
import { isHistoryRejected, isStateless, statelessHistory } from "./stateless";
import { buildThreadItems, type ThreadItem } from "./threadItems";

export interface ThreadState {
  /** Null: nothing was said yet. */
  conversationId: string | null;
  items: readonly ThreadItem[];
  /** What is being read from the service. */
  loading: "nothing" | "newest" | "older";
  /** The messages are those of an earlier visit; the service has not answered yet. */
  stale: boolean;
  hasOlder: boolean;
  /** Why the messages can't be read. */
  problem: ApiError | null;
  /** The turn being answered; null: none is. */
  active: Turn | null;
}

export interface ThreadServices {
  api: Api;
  turnApi: TurnApi;
  cache: MessageCache;
  outbox: Outbox;
  /** The thread got its conversation. */
  onConversationCreated(thread: Thread): void;
  /** Something was answered: lists elsewhere may be out of date. */
  onAnswered(thread: Thread, turn: Turn): void;
  onTurnEvent(turn: Turn, event: TurnEvent): void;
}

let counted = 0;

export class Thread {
  /** Names the thread within this visit; its conversation may come later. */
  readonly id = ++counted;
  #conversationId: string | null;
  #messages: readonly MessageView[] = [];
  #turns: readonly Turn[] = [];
  #loading: ThreadState["loading"] = "nothing";
  #stale = false;
  #hasOlder = false;
  #loaded = false;
  #problem: ApiError | null = null;
  #state: ThreadState;
  #frame: number | null = null;
  #again = false;
  #left = false;
  readonly #runners = new Map<string, TurnRunner>();
  readonly #keyOf = new Map<string, string>();
  readonly #listeners = new Set<() => void>();

  constructor(
    readonly services: ThreadServices,
    conversationId: string | null,
  ) {
    this.#conversationId = conversationId;
    const kept = conversationId ? services.cache.read(conversationId) : null;
    if (kept) {
      this.#messages = kept;
      this.#stale = true;
    }
    this.#state = this.#look();
  }

  get conversationId(): string | null {
    return this.#conversationId;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  snapshot = (): ThreadState => this.#state;

  /** Reads the newest messages, once more if they are known. Asked twice at a time, it reads once after the other. */
  async refresh(): Promise<void> {
    if (!this.#conversationId) return;
    if (this.#loading === "newest") {
      this.#again = true;
      return;
    }
    this.#loading = "newest";
    this.#problem = null;
    this.#changed();
    try {
      const page = await fetchMessagePage(this.services.api, this.#conversationId);
      if (this.#left) return;
      const { messages, hasOlder } = mergeNewestPage(
        this.#messages,
        this.#loaded ? this.#hasOlder : page.hasOlder,
        page,
      );
      this.#messages = messages;
      this.#hasOlder = hasOlder;
      this.#loaded = true;
      this.#stale = false;
      this.#dropStored();
      this.services.cache.write(this.#conversationId, messages);
    } catch (error) {
      this.#problem = ApiError.from(error);
    }
    this.#loading = "nothing";
    this.#changed();
    if (this.#again) {
      this.#again = false;
      await this.refresh();
    }
  }

  /** Reads the messages before those shown: a page of them, or all from a sequence on. */
  async loadOlder(from?: number): Promise<void> {
    const { api } = this.services;
    const [id, first] = [this.#conversationId, this.#messages[0]];
    if (!id || !first || !this.#hasOlder || this.#loading !== "nothing") return;
    this.#loading = "older";
    this.#changed();
    try {
      const { sequence } = first;
      const page = await (from === undefined
        ? fetchMessagePage(api, id, sequence)
        : fetchMessagesBackTo(api, id, sequence, from));
      this.#messages = [...page.messages, ...this.#messages];
      this.#hasOlder = page.hasOlder;
    } catch (error) {
      this.#problem = ApiError.from(error);
    }
    this.#loading = "nothing";
    this.#changed();
  }

  send(text: string): void {
    const before = statelessHistory(this.#turns);
    const request = { kind: "send", text, conversationId: this.#conversationId } as const;
    this.#start(before ? { ...request, before } : request);
  }

  /** Says something else instead of a message of the user's. */
  edit(messageId: string, text: string): void {
    if (!this.#conversationId) return;
    this.#start({ kind: "edit", text, conversationId: this.#conversationId, messageId });
  }

  /** Has an answer made anew. */
  regenerate(messageId: string): void {
    if (!this.#conversationId) return;
    this.#start({ kind: "regenerate", text: "", conversationId: this.#conversationId, messageId });
  }

  /** Sends what was not sent, under the same key, or asks again for what was. */
  retry(key: string): void {
    const turn = this.#turns.find((each) => each.key === key);
    if (turn && isTurnOver(turn) && turn.phase !== "answered") this.#run(turn);
  }

  /** Gives up what was not sent; returns its text. */
  discard(key: string): string {
    const turn = this.#turns.find((each) => each.key === key);
    this.#runners.get(key)?.disconnect();
    this.#runners.delete(key);
    this.services.outbox.remove(key);
    this.#turns = this.#turns.filter((each) => each.key !== key);
    this.#changed();
    return turn?.request.text ?? "";
  }

  stop(): void {
    const active = this.#active();
    if (active) void this.#runners.get(active.key)?.stop();
  }

  /** Takes up what an earlier visit, or another tab, left under way. */
  resume(pending: PendingTurn): void {
    if (this.#runners.has(pending.key)) return;
    const start = newTurn(pending.key, pending.request, pending.sentAt);
    const turn: Turn = { ...start, turnId: pending.turnId, conversationId: pending.conversationId };
    if (pending.held) this.#put({ ...turn, phase: "failed", error: ApiError.unreachable() });
    else this.#run(turn);
  }

  /** What waits for the network, or for the user to sign in. */
  retryWaiting(): void {
    for (const turn of this.#turns) {
      if (turn.phase === "signed_out" || (turn.phase === "unsent" && turn.error?.isTransient))
        this.#run(turn);
    }
  }

  /** Stops listening; nothing is shown or kept any more. */
  dispose(): void {
    this.#left = true;
    for (const runner of this.#runners.values()) runner.disconnect();
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#listeners.clear();
  }

  #start(request: TurnRequest): void {
    if (this.#active()) return;
    this.#run(newTurn(crypto.randomUUID(), request, new Date().toISOString()));
  }

  #run(turn: Turn): void {
    const runner = new TurnRunner(this.services.turnApi, turn, (next, event) => this.#hear(next, event));
    this.#runners.set(turn.key, runner);
    this.#put(turn);
    this.services.outbox.save(turn);
    // Whoever holds the turn's id only asks after it. Without it the message would be sent.
    if (turn.turnId) void runner.run();
    else void withTurnLock(turn.key, () => runner.run()).then((was) => was || this.#yield(turn.key));
  }

  /** Another tab is sending the message; the answer will be found in the history. */
  #yield(key: string): void {
    this.#runners.delete(key);
    this.#turns = this.#turns.filter((each) => each.key !== key);
    this.#changed();
  }

  #hear(turn: Turn, event: TurnEvent): void {
    this.services.onTurnEvent(turn, event);
    if (turn.turnId) this.#keyOf.set(turn.turnId, turn.key);
    const isChunk = event.type === "frame" && event.frame.event === "chunk";
    if (!isChunk) this.services.outbox.save(turn);
    this.#put(turn, isChunk);
    if (!this.#conversationId && turn.conversationId) {
      this.#conversationId = turn.conversationId;
      this.#loaded = true;
      this.#changed();
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

  #put(turn: Turn, soon = false): void {
    const known = this.#turns.some((each) => each.key === turn.key);
    this.#turns = known
      ? this.#turns.map((each) => (each.key === turn.key ? turn : each))
      : [...this.#turns, turn];
    if (soon) this.#changedSoon();
    else this.#changed();
  }

  /** A turn that the history holds is shown from there. */
  #dropStored(): void {
    const stored = new Set(this.#messages.map((message) => message.turn_id));
    this.#turns = this.#turns.filter((turn) => !turn.turnId || !stored.has(turn.turnId));
  }

  #active(): Turn | null {
    return this.#turns.findLast((turn) => !isTurnOver(turn)) ?? null;
  }

  #look(): ThreadState {
    return {
      conversationId: this.#conversationId,
      items: buildThreadItems(this.#messages, this.#turns, this.#keyOf),
      loading: this.#loading,
      stale: this.#stale,
      hasOlder: this.#hasOlder,
      problem: this.#problem,
      active: this.#active(),
    };
  }

  #changed(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
    this.#state = this.#look();
    for (const listener of this.#listeners) listener();
  }

  /** Pieces of text may come faster than the screen shows them. */
  #changedSoon(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      this.#changed();
    });
  }
}
