/** Where the panel stands: beside the chat, or over it on a narrow page. */

import { usePanel } from "@/shell/routes";

const OVER_THE_CHAT = "(max-width: 1100px)";

/** Makes sure that the chat is seen. */
export function useShowChat(): () => void {
  const [, show] = usePanel();
  return () => {
    if (window.matchMedia(OVER_THE_CHAT).matches) show(null);
  };
}
