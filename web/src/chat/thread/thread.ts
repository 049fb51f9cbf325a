/** State of one conversation: its stored messages and its unanswered turns. Outlives the view that shows it. */

import { ApiError } from "@/api/apiError";
import type { Api } from "@/api/client";
import type { AttachedFile } from "@/attachments/upload";
import type { MessageCache } from "@/cache/messageCache";
import type { Outbox, PendingTurn } from "@/stream/outbox";
import type { Turn, TurnEvent, TurnRequest } from "@/stream/turn";
import type { TurnApi } from "@/stream/turnApi";
import { MessageWindow } from "./messageWindow";
import { isHistoryRejected, isStateless, statelessHistory, statelessState } from "./stateless";
import { buildThreadItems, type ThreadItem } from "./threadItems";
import { TurnQueue } from "./turnQueue";

export interface ThreadState {
  /** Null until the first message is stored. */
  conversationId: string | null;
  items: readonly ThreadItem[];
  /** What is being fetched. */
  loading: "nothing" | "newest" | "older" | "newer" | "around";
  /** The messages come from the cache; the service has not answered yet. */
  stale: boolean;
  hasOlder: boolean;
  /** The messages shown are from the middle of the conversation. */
  hasNewer: boolean;
  /** Why the messages can't be fetched. */
  problem: ApiError | null;
  /** The turn that is being answered, if any. */
  active: Turn | null;
  /** Whether a message waits to be sent or answered. */
  isBusy: boolean;
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
  #window: MessageWindow;
  readonly #queue: TurnQueue;
  #loading: ThreadState["loading"] = "nothing";
  #problem: ApiError | null = null;
  #state: ThreadState;
  #animationFrame: number | null = null;
  #shouldRefreshAgain = false;
  #isDisposed = false;
  /** The service rejected the history that went along with the message, so it is sent without one. */
  #omitsHistory = false;
  /** The keys of this page's turns by turn id. */
  readonly #turnKeys = new Map<string, string>();
  readonly #listeners = new Set<() => void>();

  constructor(
    readonly services: ThreadServices,
    conversationId: string | null,
  ) {
    const { turnApi, outbox } = services;
    this.#conversationId = conversationId;
    this.#window = MessageWindow.cached(conversationId ? services.cache.read(conversationId) : null);
    this.#queue = new TurnQueue({
      turnApi,
      outbox,
      prepare: (request) => this.#prepare(request),
      onTurn: (turn, event) => this.#onTurn(turn, event),
      onChange: () => this.#notify(),
    });
    this.#state = this.#buildState();
  }

  get conversationId(): string | null {
    return this.#conversationId;
  }

  /** Whether the thread can be forgotten without losing a message. */
  get isIdle(): boolean {
    return this.#queue.isEmpty;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  snapshot = (): ThreadState => this.#state;

  /**
   * Fetches the newest messages, and those around a sequence number. A call while something is fetched makes it run
   * afterwards.
   */
  async refresh(around: number | null = null): Promise<void> {
    if (!this.#conversationId) return;
    if (this.#loading !== "nothing") {
      this.#shouldRefreshAgain = true;
      return;
    }
    await this.#load("newest", async (api, id) => {
      const window = await this.#window.withNewest(api, id, around);
      if (this.#isDisposed) return window;
      this.#queue.removeStored(new Set(window.newest.map((message) => message.turn_id)));
      this.services.cache.write(id, window.newest);
      return window;
    });
  }

  /** Fetches the page of messages before those that are shown. */
  async loadOlder(): Promise<void> {
    if (this.#window.hasOlder) await this.#load("older", (api, id) => this.#window.withOlder(api, id));
  }

  /** Fetches the page of messages after those that are shown. */
  async loadNewer(): Promise<void> {
    if (this.#window.hasNewer) await this.#load("newer", (api, id) => this.#window.withNewer(api, id));
  }

  /** Shows the messages around a sequence number, wherever in the conversation that is. */
  async loadAround(sequence: number): Promise<void> {
    await this.#load("around", (api, id) => this.#window.around(api, id, sequence));
  }

  /** Shows the newest messages again. */
  showNewest(): void {
    if (!this.#window.hasNewer) return;
    this.#window = this.#window.atEnd();
    this.#notify();
  }

  /** Sends a message once those before it are answered. */
  send(text: string, files: readonly AttachedFile[] = []): void {
    this.showNewest();
    const conversationId = this.#conversationId;
    this.#queue.add({ kind: "send", text, conversationId, ...(files.length > 0 ? { files } : {}) });
  }

  /** Replaces a message of the user. */
  edit(messageId: string, text: string, files: readonly AttachedFile[] = []): void {
    this.#addUnlessBusy({ kind: "edit", text, messageId, ...(files.length > 0 ? { files } : {}) });
  }

  /** Requests another answer. */
  regenerate(messageId: string): void {
    this.#addUnlessBusy({ kind: "regenerate", text: "", messageId });
  }

  /** Retries a turn under the same key. */
  retry(key: string): void {
    this.#queue.retry(key);
  }

  /** Removes a turn that was not answered, and returns its text. */
  discard(key: string): string {
    return this.#queue.discard(key);
  }

  /** Holds a waiting message back while its text is edited; null ends that. */
  editWaiting(key: string | null): void {
    this.#queue.edit(key);
  }

  /** Changes a message that waits. Returns false if it was sent meanwhile. */
  rewriteWaiting(key: string, text: string): boolean {
    return this.#queue.rewrite(key, text);
  }

  stop(): void {
    this.#queue.stop();
  }

  /** Resumes a turn of an earlier visit or another tab. */
  resume(pending: PendingTurn): void {
    this.#queue.resume(pending);
  }

  /** Retries the turns that wait for the network or for a sign-in. */
  retryWaiting(): void {
    this.#queue.retryWaiting();
  }

  /** Applies a change of a stored message that the service confirmed. */
  replaceMessage(messageId: string, change: Parameters<MessageWindow["withChange"]>[1]): void {
    this.#window = this.#window.withChange(messageId, change);
    if (this.#conversationId) this.services.cache.write(this.#conversationId, this.#window.newest);
    this.#notify();
  }

  /** Stops listening. Nothing is shown or cached from here on. */
  dispose(): void {
    this.#isDisposed = true;
    this.#queue.dispose();
    if (this.#animationFrame !== null) cancelAnimationFrame(this.#animationFrame);
    this.#listeners.clear();
  }

  #addUnlessBusy(request: {
    kind: "edit" | "regenerate";
    text: string;
    messageId: string;
    files?: readonly AttachedFile[];
  }): void {
    if (!this.#conversationId || this.#queue.isBusy) return;
    this.showNewest();
    this.#queue.add({ ...request, conversationId: this.#conversationId });
  }

  async #load(
    what: ThreadState["loading"],
    load: (api: Api, conversationId: string) => Promise<MessageWindow>,
  ): Promise<void> {
    const id = this.#conversationId;
    if (!id || this.#loading !== "nothing") return;
    this.#loading = what;
    this.#problem = null;
    this.#notify();
    try {
      const window = await load(this.services.api, id);
      if (this.#isDisposed) return;
      this.#window = window;
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

  /** Adds what is known only when a message is sent: its conversation, and earlier messages that are not stored. */
  #prepare(request: TurnRequest): TurnRequest {
    if (request.kind !== "send") return request;
    const earlier = this.#omitsHistory ? [] : this.#queue.turns;
    const before = statelessHistory(earlier);
    const state = statelessState(earlier);
    const conversationId = request.conversationId ?? this.#conversationId;
    return { ...request, conversationId, ...(before ? { before } : {}), ...(state ? { state } : {}) };
  }

  #onTurn(turn: Turn, event: TurnEvent): void {
    this.services.onTurnEvent(turn, event);
    if (turn.turnId) this.#turnKeys.set(turn.turnId, turn.key);
    if (event.type === "frame" && event.frame.event === "chunk") this.#notifyOnNextFrame();
    else this.#notify();
    if (!this.#conversationId && turn.conversationId) this.#onConversationCreated(turn.conversationId);
    if (turn.phase === "answered") {
      this.#omitsHistory = false;
      this.services.onAnswered(this, turn);
      if (!isStateless(turn)) void this.refresh();
    }
    if (isHistoryRejected(turn)) {
      const { text, conversationId } = turn.request;
      this.#omitsHistory = true;
      this.#queue.replace(turn.key, { kind: "send", text, conversationId });
    }
  }

  #onConversationCreated(conversationId: string): void {
    this.#conversationId = conversationId;
    this.#window = MessageWindow.complete();
    this.#queue.assignConversation(conversationId);
    this.#notify();
    this.services.onConversationCreated(this);
  }

  #buildState(): ThreadState {
    const { shown, hasOlder, hasNewer, isStale } = this.#window;
    return {
      conversationId: this.#conversationId,
      items: buildThreadItems(shown, hasNewer ? [] : this.#queue.turns, this.#turnKeys),
      loading: this.#loading,
      stale: isStale,
      hasOlder,
      hasNewer,
      problem: this.#problem,
      active: this.#queue.active,
      isBusy: this.#queue.isBusy,
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
