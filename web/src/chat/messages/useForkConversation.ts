/** Forks a conversation: copies it up to a message, and opens the copy. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "@/api/apiError";
import { unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { useThread } from "@/chat/thread/ThreadContext";
import { useApi } from "@/session/SessionContext";
import { useOpenConversation } from "@/shell/routes";
import { announce } from "@/ui/Announcer";
import { showToast } from "@/ui/Toasts";

/** Whether a fork is in progress, and a function that forks at a message. */
export function useForkConversation(): [boolean, (messageId: string) => Promise<void>] {
  const api = useApi();
  const queries = useQueryClient();
  const thread = useThread();
  const [, open] = useOpenConversation();
  const [isBusy, setBusy] = useState(false);
  const fork = async (messageId: string) => {
    const { conversationId } = thread;
    if (!conversationId) return;
    setBusy(true);
    try {
      const copy = await unwrap(
        api.POST("/v1/conversations/{conversation_id}/fork", {
          params: {
            path: { conversation_id: conversationId },
            header: { "idempotency-key": crypto.randomUUID() },
          },
          body: { message_id: messageId },
        }),
      );
      void queries.invalidateQueries({ queryKey: queryKeys.conversations });
      open(copy.id);
      announce("This is the copy. The conversation you came from stays as it is.");
    } catch (cause) {
      showToast({ text: `That did not work: ${ApiError.from(cause).message}` });
    } finally {
      setBusy(false);
    }
  };
  return [isBusy, fork];
}
