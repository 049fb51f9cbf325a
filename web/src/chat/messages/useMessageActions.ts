/** Pins a message of the user, and takes one back. */

import { ApiError } from "@/api/apiError";
import { unwrap } from "@/api/client";
import { errorMessage } from "@/chat/labels";
import { useThread } from "@/chat/thread/ThreadContext";
import { useApi } from "@/session/SessionContext";
import { announce } from "@/ui/Announcer";
import { showToast } from "@/ui/Toasts";

const MESSAGE = "/v1/conversations/{conversation_id}/messages/{message_id}";

export function useMessageActions(messageId: string) {
  const api = useApi();
  const thread = useThread();
  const params = { path: { conversation_id: thread.conversationId ?? "", message_id: messageId } };
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      showToast({ text: errorMessage(ApiError.from(error)) });
    }
  };
  const unpin = () => attempt(() => unwrap(api.DELETE(`${MESSAGE}/pin`, { params })));
  const pin = () =>
    attempt(async () => {
      await unwrap(api.POST(`${MESSAGE}/pin`, { params }));
      showToast({
        text: "This message goes along with every answer from now on.",
        action: { label: "Undo", run: () => void unpin() },
      });
    });
  const takeBack = () =>
    attempt(async () => {
      await unwrap(api.DELETE(MESSAGE, { params }));
      thread.replaceMessage(messageId, (message) => ({ ...message, content: "", deleted: true }));
      announce("You took the message back.");
    });
  return { pin, takeBack };
}
