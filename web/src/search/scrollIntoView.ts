/** Scrolling to a message among rows whose heights are known only once they are rendered. */

import type { Virtualizer } from "@tanstack/react-virtual";
import type { ScrollPosition } from "@/cache/scrollPositionCache";
import type { ThreadItem } from "@/chat/thread/threadItems";

/** Rows above grow when they are measured; the place is right when it stays so for a few frames. */
const STEADY_FRAMES = 4;
const MAX_FRAMES = 60;

/**
 * Scrolls until the row lies so many pixels below the top of the view, or in its middle (null); then calls back.
 * The returned function ends it early.
 */
export function bringInto(
  view: HTMLElement,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  indexOf: () => number,
  offset: number | null,
  onDone: () => void,
): () => void {
  let frame = 0;
  let steady = 0;
  const step = (frames: number) => {
    const index = indexOf();
    const row = view.querySelector(`[data-index="${index}"]`);
    if (!row) virtualizer.scrollToIndex(index, { align: offset === null ? "center" : "start" });
    else {
      const away = distance(view, row, offset);
      const before = view.scrollTop;
      if (Math.abs(away) > 1) view.scrollTop += away;
      // Where the view can't be scrolled any further the row is as near as it gets.
      const isThere = Math.abs(away) <= 1 || view.scrollTop === before;
      steady = isThere ? steady + 1 : 0;
    }
    if (steady >= STEADY_FRAMES || frames >= MAX_FRAMES) onDone();
    else frame = requestAnimationFrame(() => step(frames + 1));
  };
  step(1);
  return () => cancelAnimationFrame(frame);
}

/** How far the view has to be scrolled for the row to lie where it should. */
function distance(view: HTMLElement, row: Element, offset: number | null): number {
  const seen = view.getBoundingClientRect();
  const box = row.getBoundingClientRect();
  // Of a row higher than the view its beginning is what one reads.
  const wanted = offset ?? Math.max(16, (seen.height - box.height) / 2);
  return box.top - seen.top - wanted;
}

/** The first stored message that is seen, and where; null: none is. */
export function placeIn(view: HTMLElement, items: readonly ThreadItem[]): ScrollPosition | null {
  const top = view.getBoundingClientRect().top;
  for (const row of rowsOf(view)) {
    const box = row.getBoundingClientRect();
    const messageId = items[Number(row.dataset.index)]?.messageId;
    if (messageId && box.bottom > top) return { messageId, offset: Math.round(box.top - top) };
  }
  return null;
}

function rowsOf(view: HTMLElement): HTMLElement[] {
  const rows = [...view.querySelectorAll<HTMLElement>("[data-index]")];
  return rows.sort((one, other) => Number(one.dataset.index) - Number(other.dataset.index));
}
