/** The conversations of this visit for components. */

import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { announceTurn } from "@/chat/liveRegion";
import { useApi, useConfig, useIdentity, useSession, useUserStorage } from "@/session/SessionContext";
import { createTurnApi } from "@/stream/turnApi";
import type { Thread, ThreadState } from "./thread";
import { ThreadRegistry } from "./threadRegistry";

const ThreadRegistryContext = createContext<ThreadRegistry | null>(null);

/** Keeps the conversations of the user who is signed in. Nothing is rendered until what was left is taken up. */
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
    const opened = new ThreadRegistry({ api, turnApi, storage, queries, userKey, onTurnEvent: announceTurn });
    const close = opened.start();
    const unsubscribe = session.subscribe(() => {
      if (session.state.status === "signed_in" && !session.state.expired) opened.retryWaiting();
    });
    // What arrives while the page is being taken down must not be kept any more.
    const unregister = session.onSignOut(close);
    setThreads(opened);
    return () => {
      unsubscribe();
      unregister();
      close();
    };
  }, [api, session, config, storage, queries, userKey]);
  return threads && <ThreadRegistryContext value={threads}>{children}</ThreadRegistryContext>;
}

export function useThreadRegistry(): ThreadRegistry {
  const threads = useContext(ThreadRegistryContext);
  if (!threads) throw new Error("no ThreadsProvider above");
  return threads;
}

export function useThreadState(thread: Thread): ThreadState {
  return useSyncExternalStore(thread.subscribe, thread.snapshot);
}

const ThreadContext = createContext<Thread | null>(null);

/** The thread whose view this is. */
export const ThreadProvider = ThreadContext.Provider;

export function useThread(): Thread {
  const thread = useContext(ThreadContext);
  if (!thread) throw new Error("no thread is shown here");
  return thread;
}
