/** Announces texts to screen readers through the page's live region. */

import { useSyncExternalStore } from "react";

let current = "";
const listeners = new Set<() => void>();

/** Announces the text at the next pause. A text that is announced twice is read twice. */
export function announce(text: string): void {
  // Screen readers ignore a region that does not change; the added space changes it and is not read.
  current = text === current ? `${text}\u00a0` : text;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The live region; once per page. */
export function Announcer() {
  const text = useSyncExternalStore(subscribe, () => current);
  return (
    <div className="visually-hidden" role="status" aria-live="polite" data-testid="announcer">
      {text}
    </div>
  );
}
