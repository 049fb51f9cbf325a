/** The conversations of this visit for components. */

import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { announceTurn } from "@/chat/liveRegion";
import { useApi, useConfig, useIdentity, useSession, useUserStorage } from "@/session/SessionContext";
import { turnPort } from "@/stream/turnApi";
import type { Thread, ThreadState } from "./thread";
import { Threads } from "./threadRegistry";

const ThreadsContext = createContext<Threads | null>(null);

/** Keeps the conversations of the user who is signed in. Nothing is rendered until what was left is taken up. */
export function ThreadsProvider({ children }: { children: ReactNode }) {
  const api = useApi();
  const session = useSession();
  const config = useConfig();
  const storage = useUserStorage();
  const queries = useQueryClient();
  const { userKey } = useIdentity();
  const [threads, setThreads] = useState<Threads | null>(null);
  useEffect(() => {
    const port = turnPort(config.api, session);
    const opened = new Threads({ api, port, storage, queries, userKey, onEvent: announceTurn });
    const close = opened.open();
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
  return threads && <ThreadsContext value={threads}>{children}</ThreadsContext>;
}

export function useThreads(): Threads {
  const threads = useContext(ThreadsContext);
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
