/** Says something to screen readers. What is announced is not shown. */

import { useSyncExternalStore } from "react";

let said = "";
const listeners = new Set<() => void>();

/** Announces the text when the reader pauses. The same text twice is said twice. */
export function announce(text: string): void {
  // A region that does not change is not read again; the space is not read either.
  said = text === said ? `${text}\u00a0` : text;
  for (const listener of listeners) listener();
}

/** What was announced last, for the one live region of the page. */
export function useAnnouncement(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => said,
  );
}
