/** React context for the threads. */

import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { announceTurn } from "@/chat/liveRegion";
import { useApi, useConfig, useIdentity, useSession, useUserStorage } from "@/session/SessionContext";
import { createTurnApi } from "@/stream/turnApi";
import type { Thread, ThreadState } from "./thread";
import { ThreadRegistry } from "./threadRegistry";

const ThreadRegistryContext = createContext<ThreadRegistry | null>(null);

/** Provides the signed-in user's threads. Renders nothing until unanswered turns are resumed. */
export function ThreadRegistryProvider({ children }: { children: ReactNode }) {
  const api = useApi();
  const session = useSession();
  const config = useConfig();
  const storage = useUserStorage();
  const queries = useQueryClient();
  const { userKey } = useIdentity();
  const [threads, setThreads] = useState<ThreadRegistry | null>(null);
  useEffect(() => {
    const turnApi = createTurnApi(config.api, session);
    const registry = new ThreadRegistry({
      api,
      turnApi,
      storage,
      queries,
      userKey,
      onTurnEvent: announceTurn,
    });
    const stop = registry.start();
    const unsubscribe = session.subscribe(() => {
      if (session.state.status === "signed_in" && !session.state.expired) registry.retryWaiting();
    });
    // Responses that arrive after signing out must not be cached.
    const unregister = session.onSignOut(stop);
    setThreads(registry);
    return () => {
      unsubscribe();
      unregister();
      stop();
    };
  }, [api, session, config, storage, queries, userKey]);
  return threads && <ThreadRegistryContext value={threads}>{children}</ThreadRegistryContext>;
}

export function useThreadRegistry(): ThreadRegistry {
  const threads = useContext(ThreadRegistryContext);
  if (!threads) throw new Error("no ThreadRegistryProvider above");
  return threads;
}

export function useThreadState(thread: Thread): ThreadState {
  return useSyncExternalStore(thread.subscribe, thread.snapshot);
}

const ThreadContext = createContext<Thread | null>(null);

/** Provides the thread that is shown. */
export const ThreadProvider = ThreadContext.Provider;

export function useThread(): Thread {
  const thread = useContext(ThreadContext);
  if (!thread) throw new Error("no ThreadProvider above");
  return thread;
}
