/** View of a conversation: its messages and the composer. */

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
import { EmptyThread, LoadError, LoadingMessages } from "./ThreadPlaceholders";
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
  const runtime = useThreadRuntime(thread, state);
  useRefreshOnReturn(thread);
  useRunResult(thread, state);
  const isEmpty = state.items.length === 0;
  const isUnloaded = isEmpty && state.conversationId !== null;
  return (
    <ThreadProvider value={thread}>
      <AssistantRuntimeProvider runtime={runtime}>
        <ThreadPrimitive.Root className={styles.thread} data-testid="thread">
          {!isEmpty && <MessageList state={state} />}
          {isUnloaded && state.problem && <LoadError problem={state.problem} />}
          {isUnloaded && !state.problem && <LoadingMessages />}
          {isEmpty && !isUnloaded && <EmptyThread />}
          <Composer state={state} />
        </ThreadPrimitive.Root>
      </AssistantRuntimeProvider>
    </ThreadProvider>
  );
}

const FRESH_FOR_MS = 10_000;

/** Refreshes the thread when it is opened, and again when the user returns to the page. */
function useRefreshOnReturn(thread: Thread): void {
  useEffect(() => {
    let refreshedAt = Date.now();
    void thread.refresh().then(() => {
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
