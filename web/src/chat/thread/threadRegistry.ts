/** All threads of this visit. A thread keeps running while another is shown. */

import type { QueryClient } from "@tanstack/react-query";
import { type Api, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { messageCache } from "@/cache/messageCache";
import type { UserStorage } from "@/cache/userStorage";
import { Outbox } from "@/stream/outbox";
import type { Turn, TurnEvent } from "@/stream/turn";
import type { TurnApi } from "@/stream/turnApi";
import { Thread, type ThreadServices } from "./thread";

/** When the title of a new conversation is likely to be ready. */
const TITLE_DELAYS_MS = [1_200, 4_000] as const;

/** How many threads are kept in memory. */
const MAX_THREADS = 12;

interface ThreadRegistryOptions {
  api: Api;
  turnApi: TurnApi;
  storage: UserStorage;
  queries: QueryClient;
  userKey: string;
  onTurnEvent: (turn: Turn, event: TurnEvent) => void;
}

type Composer = (text: string, options: { send: boolean }) => void;

export class ThreadRegistry {
  readonly #threads = new Map<string, Thread>();
  #newThread: Thread;
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
      onConversationCreated: (thread) => this.#onConversationCreated(thread),
      onAnswered: (thread) => this.#onAnswered(thread),
      onTurnEvent: options.onTurnEvent,
    };
    this.#newThread = new Thread(this.#services, null);
  }

  /** Resumes unanswered turns, and listens to the network and to other tabs. The returned function stops it. */
  start(): () => void {
    const retry = () => this.retryWaiting();
    window.addEventListener("online", retry);
    this.#channel.onmessage = (message: MessageEvent<unknown>) => this.#onAnsweredInOtherTab(message.data);
    for (const pending of this.#outbox.pending()) {
      const id = pending.conversationId ?? pending.request.conversationId;
      (id ? this.get(id) : this.#newThread).resume(pending);
    }
    return () => {
      window.removeEventListener("online", retry);
      this.#channel.close();
      for (const thread of this.#all()) thread.dispose();
    };
  }

  /** Retries the turns that wait for the network or for a sign-in. */
  retryWaiting(): void {
    for (const thread of this.#all()) thread.retryWaiting();
  }

  /** The thread of a conversation; null for a new one. */
  get(conversationId: string | null): Thread {
    if (conversationId === null) return this.#newThread;
    const known = this.#threads.get(conversationId);
    const thread = known ?? new Thread(this.#services, conversationId);
    // Moved to the end, because the least recently shown threads are removed first.
    this.#threads.delete(conversationId);
    this.#threads.set(conversationId, thread);
    this.#removeIdle();
    return thread;
  }

  /** Removes the thread of a deleted conversation. */
  remove(conversationId: string): void {
    this.#threads.get(conversationId)?.dispose();
    this.#threads.delete(conversationId);
    this.#services.cache.remove(conversationId);
  }

  /** Continues the conversation from this version of a message. Rejects with an `ApiError`. */
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

  /** Puts the text into the composer that is shown, or sends it from there. */
  compose(text: string, options: { send: boolean } = { send: false }): void {
    this.#composer?.(text, options);
  }

  /** Registers the composer that is shown. The returned function removes it. */
  registerComposer(composer: Composer): () => void {
    this.#composer = composer;
    return () => {
      if (this.#composer === composer) this.#composer = null;
    };
  }

  /** Calls back when a new thread got its conversation id. */
  onConversationCreated(listener: (thread: Thread) => void): () => void {
    this.#conversationListeners.add(listener);
    return () => this.#conversationListeners.delete(listener);
  }

  #all(): Thread[] {
    return [this.#newThread, ...this.#threads.values()];
  }

  #onConversationCreated(thread: Thread): void {
    if (thread.conversationId) this.#threads.set(thread.conversationId, thread);
    if (thread === this.#newThread) this.#newThread = new Thread(this.#services, null);
    for (const listener of this.#conversationListeners) listener(thread);
    void this.options.queries.invalidateQueries({ queryKey: queryKeys.conversations });
  }

  #onAnswered(thread: Thread): void {
    this.#channel.postMessage(thread.conversationId);
    for (const queryKey of [
      queryKeys.conversations,
      queryKeys.agents,
      queryKeys.tasks,
      queryKeys.runs,
      queryKeys.allVersions,
    ]) {
      void this.options.queries.invalidateQueries({ queryKey });
    }
    if (thread.snapshot().items.length > 2) return;
    for (const ms of TITLE_DELAYS_MS) {
      setTimeout(
        () => void this.options.queries.invalidateQueries({ queryKey: queryKeys.conversations }),
        ms,
      );
    }
  }

  #onAnsweredInOtherTab(conversationId: unknown): void {
    if (typeof conversationId !== "string") return;
    void this.#threads.get(conversationId)?.refresh();
    void this.options.queries.invalidateQueries({ queryKey: queryKeys.conversations });
  }

  #removeIdle(): void {
    for (const [id, thread] of this.#threads) {
      if (this.#threads.size <= MAX_THREADS) return;
      if (!thread.isIdle) continue;
      this.#threads.delete(id);
    }
  }
}
