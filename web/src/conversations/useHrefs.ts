/** Links to conversations that keep the side panel open. */

import { conversationPath, NEW_CHAT_PATH, usePanel } from "@/shell/routes";

interface ConversationHrefs {
  newChat: string;
  /** The conversation, or one of its messages. */
  conversation(id: string, messageId?: string): string;
}

export function useHrefs(): ConversationHrefs {
  const [panel] = usePanel();
  const at = (path: string, messageId?: string) => {
    const query = new URLSearchParams();
    if (panel) query.set("panel", panel);
    if (messageId) query.set("message", messageId);
    return query.size > 0 ? `${path}?${query}` : path;
  };
  return { newChat: at(NEW_CHAT_PATH), conversation: (id, messageId) => at(conversationPath(id), messageId) };
}
