/** Stores the unsent text of each conversation's composer. */

import { useEffect, useRef } from "react";
import { useUserStorage } from "@/session/SessionContext";

const PREFIX = "draft:";
const SAVE_AFTER_MS = 300;
/** Longer texts can't be sent, and would fill the browser's storage. */
const MAX_CHARACTERS = 100_000;

/** Restores the draft of a conversation (`new` for a new one), then stores what is typed. */
export function useDraft(name: string, text: string, restore: (text: string) => void): void {
  const storage = useUserStorage();
  // biome-ignore lint/correctness/useExhaustiveDependencies: restored once, when the conversation is opened
  useEffect(() => {
    const draft = storage.get<string>(PREFIX + name);
    if (draft) restore(draft);
  }, [storage, name]);
  const before = useRef(name);
  useEffect(() => {
    // What is typed during the first answer moves along to the conversation that it starts.
    if (before.current !== name) storage.remove(PREFIX + before.current);
    before.current = name;
    // A sent text is removed at once: the conversation may change before a timer fires.
    if (!text.trim()) return storage.remove(PREFIX + name);
    const save = () => storage.set(PREFIX + name, text.slice(0, MAX_CHARACTERS));
    const timer = setTimeout(save, SAVE_AFTER_MS);
    // The timer would be lost when the page is left.
    window.addEventListener("pagehide", save);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pagehide", save);
    };
  }, [storage, name, text]);
}
