/**
 * Decides where a conversation opens: at the search hit that the address names (`?message=ID`), where the user
 * last read, or at its end.
 */

import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { scrollPositionCache } from "@/cache/scrollPositionCache";
import type { Thread, ThreadState } from "@/chat/thread/thread";
import { useUserStorage } from "@/session/SessionContext";
import { announce } from "@/ui/Announcer";
import { showToast } from "@/ui/Toasts";
import { readScrollPosition, scrollRowIntoView } from "./scrollIntoView";

interface OpenHit {
  /** A message is being scrolled into view, so the list must not jump to its end. */
  isScrolling: boolean;
  /** The item of the hit, while it is highlighted. */
  highlightedId: string | null;
  /** To be called on every scroll. */
  onScroll(isAtEnd: boolean): void;
}

interface OpenHitOptions {
  thread: Thread;
  state: ThreadState;
  scroller: RefObject<HTMLDivElement | null>;
  virtualizer: Virtualizer<HTMLDivElement, Element>;
}

const HIGHLIGHT_MS = 2_500;
const SAVE_AFTER_MS = 250;
const INTERRUPTIONS = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

export function useOpenHit({ thread, state, scroller, virtualizer }: OpenHitOptions): OpenHit {
  const storage = useUserStorage();
  const positions = useMemo(() => scrollPositionCache(storage), [storage]);
  const { conversationId, items } = state;
  const [hitId, clearHit] = useMessageParam();
  const [saved, setSaved] = useState(() => (conversationId ? positions.read(conversationId) : null));
  const [highlightedId, setHighlightedId] = useState<string | null>(null);
  const target = hitId ?? saved?.messageId ?? null;
  const index = target === null ? -1 : items.findIndex((item) => item.messageId === target);
  const item = items[index];
  const offset = hitId === null ? (saved?.offset ?? 0) : null;
  const isScrolling = index >= 0;

  const finish = () => {
    setSaved(null);
    if (hitId !== null) clearHit();
  };
  const latest = useRef({ finish, items });
  latest.current = { finish, items };

  useLoadMissing(thread, state, target !== null && index < 0 ? target : null, () => {
    finish();
    if (hitId !== null) showToast({ text: "That message is not part of the conversation any more." });
  });

  // The user's own scrolling takes precedence.
  useEffect(() => {
    const view = scroller.current;
    if (target === null || !view) return;
    const interrupt = () => latest.current.finish();
    for (const name of INTERRUPTIONS) view.addEventListener(name, interrupt, { passive: true });
    return () => {
      for (const name of INTERRUPTIONS) view.removeEventListener(name, interrupt);
    };
  }, [target, scroller]);

  const itemId = item?.id ?? null;
  useEffect(() => {
    const view = scroller.current;
    if (itemId === null || !view) return;
    const indexOf = () => latest.current.items.findIndex((each) => each.id === itemId);
    return scrollRowIntoView(view, virtualizer, indexOf, offset, () => {
      latest.current.finish();
      if (offset !== null) return;
      setHighlightedId(itemId);
      announce("The message is shown.");
    });
  }, [itemId, offset, scroller, virtualizer]);

  useEffect(() => {
    if (highlightedId === null) return;
    const timer = setTimeout(() => setHighlightedId(null), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [highlightedId]);

  const onScroll = useSaveScrollPosition(scroller, (view, isAtEnd) => {
    if (conversationId && target === null)
      positions.write(conversationId, isAtEnd ? null : readScrollPosition(view, items));
  });
  return { isScrolling, highlightedId, onScroll };
}

/** The id and the position of the message that the address names; null if it names none. */
export function useHit(): { id: string; sequence: number } | null {
  const id = useSearchParams()[0].get("message") ?? "";
  const sequence = sequenceOf(id);
  return Number.isNaN(sequence) ? null : { id, sequence };
}

/** The id in `?message=ID`, or null, and a function that removes it from the address. */
function useMessageParam(): [string | null, () => void] {
  const [params, setParams] = useSearchParams();
  const clear = useCallback(
    () =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          after.delete("message");
          return after;
        },
        { replace: true },
      ),
    [setParams],
  );
  return [params.get("message"), clear];
}

/** Loads the messages around the missing one, wherever it is, and calls `onGone` if it can't be found. */
function useLoadMissing(
  thread: Thread,
  state: ThreadState,
  missing: string | null,
  onGone: () => void,
): void {
  const { loading, stale, problem, items } = state;
  const tried = useRef<string | null>(null);
  const gone = useRef(onGone);
  gone.current = onGone;
  const isReady = missing !== null && loading === "nothing" && !stale && !problem;
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again whenever other messages are loaded
  useEffect(() => {
    if (!isReady) return;
    const sequence = sequenceOf(missing);
    if (tried.current === missing || Number.isNaN(sequence)) return gone.current();
    tried.current = missing;
    void thread.loadAround(sequence);
  }, [isReady, missing, thread, items]);
}

/** The message's position in its conversation, which its id starts with; NaN for anything else. */
const sequenceOf = (messageId: string): number => Number.parseInt(messageId, 10);

/** Saves the scroll position shortly after the user scrolled, and when they leave the page. */
function useSaveScrollPosition(
  scroller: RefObject<HTMLDivElement | null>,
  save: (view: HTMLElement, isAtEnd: boolean) => void,
): (isAtEnd: boolean) => void {
  const latest = useRef(save);
  latest.current = save;
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; isAtEnd: boolean } | null>(null);
  const saveNow = useCallback(() => {
    if (pending.current && scroller.current) latest.current(scroller.current, pending.current.isAtEnd);
    pending.current = null;
  }, [scroller]);
  useEffect(() => {
    window.addEventListener("pagehide", saveNow);
    return () => {
      window.removeEventListener("pagehide", saveNow);
      clearTimeout(pending.current?.timer);
      pending.current = null;
    };
  }, [saveNow]);
  return (isAtEnd) => {
    // Measuring is too slow to be done for every frame of scrolling.
    if (pending.current) pending.current.isAtEnd = isAtEnd;
    else pending.current = { timer: setTimeout(saveNow, SAVE_AFTER_MS), isAtEnd };
  };
}
