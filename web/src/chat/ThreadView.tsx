/** A conversation: its messages, and where the next one is written. */

import { AssistantRuntimeProvider, ThreadPrimitive } from "@assistant-ui/react";
import { useEffect } from "react";
import { Composer } from "@/chat/composer/Composer";
import { MessageList } from "@/chat/messages/MessageList";
import { useThreadRuntime } from "@/chat/thread/assistantRuntime";
import { ThreadProvider, useThreadRegistry, useThreadState } from "@/chat/thread/ThreadContext";
import type { Thread } from "@/chat/thread/thread";
import { useRunResult } from "@/chat/thread/useRunResult";
import { useOpenConversation } from "@/shell/routes";
import { announce } from "@/ui/Announcer";
import styles from "./chat.module.css";
import { EmptyThread, LoadError, LoadingMessages } from "./ThreadPlaceholders";

/** The conversation of the id; null: one that has yet to begin. */
export function ThreadView({ conversationId }: { conversationId: string | null }) {
  const threads = useThreadRegistry();
  const [, open] = useOpenConversation();
  const thread = threads.get(conversationId);
  useEffect(
    () =>
      threads.onConversation((named) => {
        // The user may look at something else by now.
        if (named === thread) open(named.conversationId, { replace: true });
      }),
    [threads, thread, open],
  );
  return <OpenThread key={thread.id} thread={thread} />;
}

function OpenThread({ thread }: { thread: Thread }) {
  const state = useThreadState(thread);
  const runtime = useThreadRuntime(thread, state);
  useRefreshOnReturn(thread);
  useRunResult(thread, state);
  const isEmpty = state.items.length === 0;
  const isUnread = isEmpty && state.conversationId !== null;
  return (
    <ThreadProvider value={thread}>
      <AssistantRuntimeProvider runtime={runtime}>
        <ThreadPrimitive.Root className={styles.thread} data-testid="thread">
          {!isEmpty && <MessageList state={state} />}
          {isUnread && state.problem && <LoadError problem={state.problem} />}
          {isUnread && !state.problem && <LoadingMessages />}
          {isEmpty && !isUnread && <EmptyThread />}
          <Composer state={state} />
        </ThreadPrimitive.Root>
      </AssistantRuntimeProvider>
    </ThreadProvider>
  );
}

const FRESH_FOR_MS = 10_000;

/** Reads the conversation when it is opened, and again when the user comes back to the page. */
function useRefreshOnReturn(thread: Thread): void {
  useEffect(() => {
    let readAt = Date.now();
    void thread.refresh().then(() => {
      if (thread.conversationId) announce("Conversation loaded.");
    });
    const onReturn = () => {
      if (document.visibilityState !== "visible" || Date.now() - readAt < FRESH_FOR_MS) return;
      readAt = Date.now();
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
