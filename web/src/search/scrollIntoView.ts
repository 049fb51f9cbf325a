/** Scrolls to a row of a virtualized list, whose height is known only once it is rendered. */

import type { Virtualizer } from "@tanstack/react-virtual";
import type { ScrollPosition } from "@/cache/scrollPositionCache";
import type { ThreadItem } from "@/chat/thread/threadItems";

/** Rows above grow as they are measured, so the position must hold for several frames to count. */
const STEADY_FRAMES = 4;
const MAX_FRAMES = 60;

/**
 * Scrolls until the top of the row is `offset` pixels below the top of the view, or the row is centered (null).
 * Then it calls `onDone`. The returned function cancels it.
 */
export function scrollRowIntoView(
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
      const delta = scrollDelta(view, row, offset);
      const before = view.scrollTop;
      if (Math.abs(delta) > 1) view.scrollTop += delta;
      // At the end of the scroll range the row is as close as it can get.
      const isThere = Math.abs(delta) <= 1 || view.scrollTop === before;
      steady = isThere ? steady + 1 : 0;
    }
    if (steady >= STEADY_FRAMES || frames >= MAX_FRAMES) onDone();
    else frame = requestAnimationFrame(() => step(frames + 1));
  };
  step(1);
  return () => cancelAnimationFrame(frame);
}

/** How far the view has to scroll to put the row in its place. */
function scrollDelta(view: HTMLElement, row: Element, offset: number | null): number {
  const viewBox = view.getBoundingClientRect();
  const box = row.getBoundingClientRect();
  // A row taller than the view is shown from its top.
  const wanted = offset ?? Math.max(16, (viewBox.height - box.height) / 2);
  return box.top - viewBox.top - wanted;
}

/** The first stored message in view and its offset; null if there is none. */
export function readScrollPosition(view: HTMLElement, items: readonly ThreadItem[]): ScrollPosition | null {
  const top = view.getBoundingClientRect().top;
  for (const row of renderedRows(view)) {
    const box = row.getBoundingClientRect();
    const messageId = items[Number(row.dataset.index)]?.messageId;
    if (messageId && box.bottom > top) return { messageId, offset: Math.round(box.top - top) };
  }
  return null;
}

function renderedRows(view: HTMLElement): HTMLElement[] {
  const rows = [...view.querySelectorAll<HTMLElement>("[data-index]")];
  return rows.sort((one, other) => Number(one.dataset.index) - Number(other.dataset.index));
}
