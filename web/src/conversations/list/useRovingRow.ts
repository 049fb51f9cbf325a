/** Roving tabindex for a virtualized list: the Tab key reaches one row, and arrow keys move between rows. */

import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { adjacentConversation, firstOrLastConversation, type ListRow } from "./listRows";

interface RovingRow {
  /** The index of the row that the Tab key reaches; -1 if there is none. */
  current: number;
  focusRow(key: string): void;
  /** Moves focus by a key. Returns whether the key does that. */
  handleKey(event: KeyboardEvent): boolean;
  onFocus(key: string): void;
}

/** `reveal` is called with the index of a row before it gets focus, to scroll it into view. */
export function useRovingRow(
  rows: readonly ListRow[],
  openId: string | null,
  list: RefObject<HTMLElement | null>,
  reveal: (index: number) => void,
): RovingRow {
  const [key, setKey] = useState<string | null>(null);
  const pendingFocus = useRef<string | null>(null);
  const indexOf = (wanted: string | null) => rows.findIndex((row) => row.key === wanted);
  const last = indexOf(key);
  const lastOrOpen = last < 0 ? indexOf(openId) : last;
  const current = lastOrOpen < 0 ? firstOrLastConversation(rows, "first") : lastOrOpen;

  // The current row is always rendered, so it can take focus even if it was far away.
  useEffect(() => {
    if (pendingFocus.current === null) return;
    const row = list.current?.querySelector(`[data-key="${CSS.escape(pendingFocus.current)}"]`);
    if (!row) return;
    pendingFocus.current = null;
    row.querySelector<HTMLElement>("a, input")?.focus({ preventScroll: true });
  });

  const focusRow = (wanted: string) => {
    pendingFocus.current = wanted;
    setKey(wanted);
    const index = indexOf(wanted);
    if (index >= 0) reveal(index);
  };
  const handleKey = (event: KeyboardEvent) => {
    const index = targetIndex(event.key, rows, current);
    const row = index === null ? undefined : rows[index];
    if (!row) return false;
    event.preventDefault();
    focusRow(row.key);
    return true;
  };
  return { current, focusRow, handleKey, onFocus: setKey };
}

function targetIndex(key: string, rows: readonly ListRow[], current: number): number | null {
  switch (key) {
    case "ArrowDown":
      return adjacentConversation(rows, current, 1);
    case "ArrowUp":
      return adjacentConversation(rows, current, -1);
    case "Home":
      return firstOrLastConversation(rows, "first");
    case "End":
      return firstOrLastConversation(rows, "last");
    default:
      return null;
  }
}
