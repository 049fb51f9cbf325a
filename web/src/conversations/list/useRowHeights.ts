/** How high rows are, in pixels: higher where they are touched. */

import { useSyncExternalStore } from "react";

const FINE = { conversation: 36, heading: 34 } as const;
const COARSE = { conversation: 44, heading: 38 } as const;
const TOUCH = "(pointer: coarse)";

export function useRowHeights(): Record<"conversation" | "heading", number> {
  return useSyncExternalStore(subscribe, () => (window.matchMedia(TOUCH).matches ? COARSE : FINE));
}

function subscribe(listener: () => void): () => void {
  const touch = window.matchMedia(TOUCH);
  touch.addEventListener("change", listener);
  return () => touch.removeEventListener("change", listener);
}
