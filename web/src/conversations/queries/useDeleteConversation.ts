/** Deleting a conversation that may be the one that is open. */

import { NEW_CHAT_PATH, useOpenConversation } from "@/shell/routes";
import type { ConversationView } from "./conversationPages";
import { useConversationActions } from "./useConversationActions";

/** Deletes a conversation. If it was open a new chat is shown instead, and the conversation again when it comes back. */
export function useDeleteConversation(): (
  conversation: ConversationView,
  onRestored?: () => void,
) => Promise<void> {
  const [openId, open] = useOpenConversation();
  const { remove } = useConversationActions();
  return async (conversation, onRestored) => {
    const { id } = conversation;
    if (id !== openId) {
      await remove(conversation, onRestored);
      return;
    }
    // The user may have gone elsewhere by then.
    const reopen = () => {
      if (window.location.pathname === NEW_CHAT_PATH) open(id, { replace: true });
    };
    open(null, { replace: true });
    if (!(await remove(conversation, reopen))) reopen();
  };
}
