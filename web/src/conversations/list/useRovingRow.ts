/** One row of a long list is where the tabulator key comes to; arrows move on from there. */

import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { adjacentConversation, firstOrLastConversation, type ListRow } from "./listRows";

export interface RovingRow {
  /** The row's index; -1: there is none. */
  current: number;
  focusRow(key: string): void;
  /** Moves on by a key; whether it was one that moves. */
  handleKey(event: KeyboardEvent): boolean;
  onFocus(key: string): void;
}

/** `reveal` is told the index of a row that is about to get focus. */
export function useRovingRow(
  rows: readonly ListRow[],
  openId: string | null,
  list: RefObject<HTMLElement | null>,
  reveal: (index: number) => void,
): RovingRow {
  const [key, setKey] = useState<string | null>(null);
  const awaited = useRef<string | null>(null);
  const indexOf = (wanted: string | null) => rows.findIndex((row) => row.key === wanted);
  const kept = indexOf(key);
  const opened = kept < 0 ? indexOf(openId) : kept;
  const current = opened < 0 ? firstOrLastConversation(rows, "first") : opened;

  // The row is rendered because it is the current one, however far away it was.
  useEffect(() => {
    if (awaited.current === null) return;
    const row = list.current?.querySelector(`[data-key="${CSS.escape(awaited.current)}"]`);
    if (!row) return;
    awaited.current = null;
    row.querySelector<HTMLElement>("a, input")?.focus({ preventScroll: true });
  });

  const focusRow = (wanted: string) => {
    awaited.current = wanted;
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
