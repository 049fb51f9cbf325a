/** What was typed and not sent, kept per conversation until it is. */

import { useEffect } from "react";
import { useUserStorage } from "@/session/SessionContext";

const PREFIX = "draft:";
const KEEP_AFTER_MS = 300;
/** A longer text can't be sent, and would fill the browser's storage. */
const MAX_KEPT = 50_000;

/** Restores the draft of the place, then keeps what is typed there. */
export function useDraft(place: string, text: string, restore: (text: string) => void): void {
  const storage = useUserStorage();
  // biome-ignore lint/correctness/useExhaustiveDependencies: restored once, when the place is entered
  useEffect(() => {
    const kept = storage.get<string>(PREFIX + place);
    if (kept) restore(kept);
  }, [storage, place]);
  useEffect(() => {
    // What was sent is no draft any more, and the place may change before a timer would say so.
    if (!text.trim()) return storage.remove(PREFIX + place);
    const keep = () => storage.set(PREFIX + place, text.slice(0, MAX_KEPT));
    const timer = setTimeout(keep, KEEP_AFTER_MS);
    // Leaving to sign in again, or closing the tab, does not wait.
    window.addEventListener("pagehide", keep);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pagehide", keep);
    };
  }, [storage, place, text]);
}
