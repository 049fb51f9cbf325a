/** View of a conversation: its messages and the composer. */

import { useEffect, useRef } from "react";
import { Composer } from "@/chat/composer/Composer";
import { MessageList } from "@/chat/messages/MessageList";
import { ThreadProvider, useThreadRegistry, useThreadState } from "@/chat/thread/ThreadContext";
import type { Thread } from "@/chat/thread/thread";
import { useRunResult } from "@/chat/thread/useRunResult";
import { useHit } from "@/search/openHit";
import { useOpenConversation } from "@/shell/routes";
import { announce } from "@/ui/Announcer";
import { EmptyThread } from "@/welcome/EmptyThread";
import { LoadingMessages } from "./LoadingMessages";
import { LoadError } from "./ThreadPlaceholders";
import styles from "./ThreadView.module.css";

/** Without an id it shows a new chat. */
export function ThreadView({ conversationId }: { conversationId: string | null }) {
  const threads = useThreadRegistry();
  const [, open] = useOpenConversation();
  const thread = threads.get(conversationId);
  useEffect(
    () =>
      threads.onConversationCreated((created) => {
        // The user may have opened another conversation by now.
        if (created === thread) open(created.conversationId, { replace: true });
      }),
    [threads, thread, open],
  );
  return <OpenThread key={thread.id} thread={thread} />;
}

function OpenThread({ thread }: { thread: Thread }) {
  const state = useThreadState(thread);
  const hit = useHit();
  useRefreshOnReturn(thread, hit?.sequence ?? null);
  useRunResult(thread, state);
  const answering = state.active === null ? "no" : state.active.isStopping ? "stopping" : "yes";
  const isEmpty = state.items.length === 0;
  // Kept messages without the one that is opened would be drawn for nothing.
  const isElsewhere = hit !== null && state.stale && !state.items.some((item) => item.messageId === hit.id);
  const isUnloaded = (isEmpty || (isElsewhere && !state.problem)) && state.conversationId !== null;
  return (
    <ThreadProvider value={thread}>
      <div className={styles.thread} data-testid="thread">
        {!isEmpty && !isUnloaded && <MessageList state={state} />}
        {isUnloaded && state.problem && <LoadError problem={state.problem} />}
        {isUnloaded && !state.problem && <LoadingMessages />}
        {isEmpty && !isUnloaded && <EmptyThread />}
        <Composer conversationId={state.conversationId} answering={answering} isBusy={state.isBusy} />
      </div>
    </ThreadProvider>
  );
}

const FRESH_FOR_MS = 10_000;

/** Refreshes the thread when it is opened, and again when the user returns to the page. */
function useRefreshOnReturn(thread: Thread, hit: number | null): void {
  const opened = useRef(hit);
  useEffect(() => {
    let refreshedAt = Date.now();
    void thread.refresh(opened.current).then(() => {
      if (thread.conversationId) announce("Conversation loaded.");
    });
    const onReturn = () => {
      if (document.visibilityState !== "visible" || Date.now() - refreshedAt < FRESH_FOR_MS) return;
      refreshedAt = Date.now();
      void thread.refresh();
    };
    document.addEventListener("visibilitychange", onReturn);
    window.addEventListener("online", onReturn);
    return () => {
      document.removeEventListener("visibilitychange", onReturn);
      window.removeEventListener("online", onReturn);
    };
  }, [thread]);
}
