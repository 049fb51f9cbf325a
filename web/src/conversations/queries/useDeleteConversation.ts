/** Deletes a conversation, and leaves it if it is open. */

import { NEW_CHAT_PATH, useOpenConversation } from "@/shell/routes";
import type { ConversationView } from "./conversationPages";
import { useConversationActions } from "./useConversationActions";

/** If the conversation was open, a new chat is shown instead. An undo opens it again. */
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
    // The user may have opened another conversation by then.
    const reopen = () => {
      if (window.location.pathname === NEW_CHAT_PATH) open(id, { replace: true });
    };
    open(null, { replace: true });
    if (!(await remove(conversation, reopen))) reopen();
  };
}
