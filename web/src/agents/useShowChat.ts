/** Closes the panel if it covers the chat, which it does on narrow screens. */

import { usePanel } from "@/shell/routes";

const PANEL_COVERS_CHAT = "(max-width: 1100px)";

export function useShowChat(): () => void {
  const [, show] = usePanel();
  return () => {
    if (window.matchMedia(PANEL_COVERS_CHAT).matches) show(null);
  };
}
