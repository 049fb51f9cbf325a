/** All conversations of this visit. What is under way in one goes on while another is shown. */

import type { QueryClient } from "@tanstack/react-query";
import { type Api, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { messageCache } from "@/cache/messageCache";
import type { UserStorage } from "@/cache/userStorage";
import { Outbox } from "@/stream/outbox";
import type { Turn, TurnEvent } from "@/stream/turn";
import type { TurnApi } from "@/stream/turnRunner";
import { Thread, type ThreadServices } from "./thread";

/** When the title that a first answer gives its conversation is likely to be there. */
const TITLED_AFTER_MS = [1_200, 4_000] as const;

/** Threads kept in memory although nobody looks at them. */
const MAX_IDLE = 12;

export interface ThreadRegistryOptions {
  api: Api;
  turnApi: TurnApi;
  storage: UserStorage;
  queries: QueryClient;
  userKey: string;
  onTurnEvent: (turn: Turn, event: TurnEvent) => void;
}

type Composer = (text: string, how: { send: boolean }) => void;

export class ThreadRegistry {
  readonly #threads = new Map<string, Thread>();
  #fresh: Thread;
  #composer: Composer | null = null;
  readonly #conversationListeners = new Set<(thread: Thread) => void>();
  readonly #services: ThreadServices;
  readonly #channel: BroadcastChannel;
  readonly #outbox: Outbox;

  constructor(readonly options: ThreadRegistryOptions) {
    const { api, turnApi, storage, userKey } = options;
    this.#outbox = new Outbox(storage);
    this.#channel = new BroadcastChannel(`omniforge:answered:${userKey}`);
    this.#services = {
      api,
      turnApi,
      outbox: this.#outbox,
      cache: messageCache(storage),
      onConversationCreated: (thread) => this.#named(thread),
      onAnswered: (thread) => this.#answered(thread),
      onTurnEvent: options.onTurnEvent,
    };
    this.#fresh = new Thread(this.#services, null);
  }

  /** Takes up what is under way and listens to the network and the other tabs, until the returned is called. */
  start(): () => void {
    const retry = () => this.retryWaiting();
    window.addEventListener("online", retry);
    this.#channel.onmessage = (message: MessageEvent<unknown>) => this.#answeredElsewhere(message.data);
    for (const pending of this.#outbox.pending()) {
      const id = pending.conversationId ?? pending.request.conversationId;
      (id ? this.get(id) : this.#fresh).resume(pending);
    }
    return () => {
      window.removeEventListener("online", retry);
      this.#channel.close();
      for (const thread of this.#all()) thread.dispose();
    };
  }

  /** Sends what waits for the network or for the user to sign in. */
  retryWaiting(): void {
    for (const thread of this.#all()) thread.retryWaiting();
  }

  /** The thread of the conversation; null: the one that has none yet. */
  get(conversationId: string | null): Thread {
    if (conversationId === null) return this.#fresh;
    const known = this.#threads.get(conversationId);
    const thread = known ?? new Thread(this.#services, conversationId);
    // Looked at last, forgotten last.
    this.#threads.delete(conversationId);
    this.#threads.set(conversationId, thread);
    this.#forgetIdle();
    return thread;
  }

  /** Forgets the conversation, because it was deleted. */
  remove(conversationId: string): void {
    this.#threads.get(conversationId)?.dispose();
    this.#threads.delete(conversationId);
    this.#services.cache.remove(conversationId);
  }

  /** Makes a version of a message the one the conversation goes on from. Rejects with an `ApiError`. */
  async selectVersion(conversationId: string, messageId: string): Promise<void> {
    const path = { conversation_id: conversationId, message_id: messageId };
    await unwrap(
      this.options.api.POST("/v1/conversations/{conversation_id}/messages/{message_id}/select", {
        params: { path },
      }),
    );
    await this.get(conversationId).refresh();
    this.#channel.postMessage(conversationId);
  }

  /** Puts the text into the composer of the thread that is shown, or sends it from there. */
  compose(text: string, how: { send: boolean } = { send: false }): void {
    this.#composer?.(text, how);
  }

  /** Registers the composer that is shown. */
  registerComposer(composer: Composer): () => void {
    this.#composer = composer;
    return () => {
      if (this.#composer === composer) this.#composer = null;
    };
  }

  /** Calls back when a new thread got its conversation. */
  onConversation(listener: (thread: Thread) => void): () => void {
    this.#conversationListeners.add(listener);
    return () => this.#conversationListeners.delete(listener);
  }

  #all(): Thread[] {
    return [this.#fresh, ...this.#threads.values()];
  }

  #named(thread: Thread): void {
    if (thread.conversationId) this.#threads.set(thread.conversationId, thread);
    if (thread === this.#fresh) this.#fresh = new Thread(this.#services, null);
    for (const listener of this.#conversationListeners) listener(thread);
    void this.options.queries.invalidateQueries({ queryKey: queryKeys.conversations });
  }

  #answered(thread: Thread): void {
    this.#channel.postMessage(thread.conversationId);
    for (const queryKey of [
      queryKeys.conversations,
      queryKeys.agents,
      queryKeys.tasks,
      ["runs"],
      ["versions"],
    ]) {
      void this.options.queries.invalidateQueries({ queryKey });
    }
    if (thread.snapshot().items.length > 2) return;
    for (const ms of TITLED_AFTER_MS) {
      setTimeout(
        () => void this.options.queries.invalidateQueries({ queryKey: queryKeys.conversations }),
        ms,
      );
    }
  }

  #answeredElsewhere(conversationId: unknown): void {
    if (typeof conversationId !== "string") return;
    void this.#threads.get(conversationId)?.refresh();
    void this.options.queries.invalidateQueries({ queryKey: queryKeys.conversations });
  }

  #forgetIdle(): void {
    for (const [id, thread] of this.#threads) {
      if (this.#threads.size <= MAX_IDLE) return;
      if (thread.snapshot().active) continue;
      this.#threads.delete(id);
    }
  }
}
