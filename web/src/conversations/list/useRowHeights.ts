/** Row heights of the conversation list in pixels, larger on touch screens. */

import { useMediaQuery } from "@/hooks/useMediaQuery";

const FINE_POINTER = { conversation: 36, heading: 34 } as const;
const TOUCH = { conversation: 44, heading: 38 } as const;

export function useRowHeights(): Record<"conversation" | "heading", number> {
  return useMediaQuery("(pointer: coarse)") ? TOUCH : FINE_POINTER;
}
