/** Shows the chat if the panel covers it, which it does on narrow screens. */

import { useOpenConversation, usePanel } from "@/shell/routes";

const coversChat = (): boolean => window.matchMedia("(max-width: 1100px)").matches;

/** Closes the panel if it covers the chat. */
export function useShowChat(): () => void {
  const [, show] = usePanel();
  return () => {
    if (coversChat()) show(null);
  };
}

/** Opens a conversation where it can be seen. */
export function useShowConversation(): (id: string) => void {
  const [, open] = useOpenConversation();
  return (id) => open(id, { withoutPanel: coversChat() });
}
