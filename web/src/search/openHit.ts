/** Where a conversation opens: at the message its address names, where the user was reading, or at its end. */

import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { scrollPositionCache } from "@/cache/scrollPositionCache";
import type { Thread, ThreadState } from "@/chat/thread/thread";
import { useUserStorage } from "@/session/SessionContext";
import { announce } from "@/ui/announcer";
import { showToast } from "@/ui/Toasts";
import { useSought } from "./query";
import { bringInto, placeIn } from "./scrollIntoView";

export interface Opening {
  /** A message is being brought into view; the end has to wait. */
  isPlacing: boolean;
  /** The item that was sought, for the moment it is marked. */
  marked: string | null;
  /** To be told of every scroll. */
  onScroll(isAtEnd: boolean): void;
}

interface OpeningProps {
  thread: Thread;
  state: ThreadState;
  scroller: RefObject<HTMLDivElement | null>;
  virtualizer: Virtualizer<HTMLDivElement, Element>;
}

/** So many messages are read back to where the user was; who was further back scrolls. */
const MAX_READ_BACK = 500;
const MARKED_MS = 2_500;
const KEEP_AFTER_MS = 250;
const INTERRUPTIONS = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

export function useOpening({ thread, state, scroller, virtualizer }: OpeningProps): Opening {
  const storage = useUserStorage();
  const places = useMemo(() => scrollPositionCache(storage), [storage]);
  const { conversationId, items } = state;
  const [sought, soughtDone] = useSought();
  const [left, setLeft] = useState(() => (conversationId ? places.read(conversationId) : null));
  const [marked, setMarked] = useState<string | null>(null);
  const target = sought ?? left?.messageId ?? null;
  const index = target === null ? -1 : items.findIndex((item) => item.messageId === target);
  const item = items[index];
  const offset = sought === null ? (left?.offset ?? 0) : null;
  const isPlacing = index >= 0;

  const giveUp = () => {
    setLeft(null);
    if (sought !== null) soughtDone();
  };
  const latest = useRef({ giveUp, items });
  latest.current = { giveUp, items };

  useReadBack(thread, state, target !== null && index < 0 ? target : null, sought !== null, () => {
    giveUp();
    if (sought !== null) showToast({ text: "That message is not part of the conversation any more." });
  });

  // The user's own scrolling goes before ours.
  useEffect(() => {
    const view = scroller.current;
    if (target === null || !view) return;
    const interrupt = () => latest.current.giveUp();
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
    return bringInto(view, virtualizer, indexOf, offset, () => {
      latest.current.giveUp();
      if (offset !== null) return;
      setMarked(itemId);
      announce("The message is shown.");
    });
  }, [itemId, offset, scroller, virtualizer]);

  useEffect(() => {
    if (marked === null) return;
    const timer = setTimeout(() => setMarked(null), MARKED_MS);
    return () => clearTimeout(timer);
  }, [marked]);

  const onScroll = useKeptPlace(scroller, (view, isAtEnd) => {
    if (conversationId && target === null)
      places.write(conversationId, isAtEnd ? null : placeIn(view, items));
  });
  return { isPlacing, marked, onScroll };
}

/** Reads the messages back to the one that is missing; calls back where that does not help. */
function useReadBack(
  thread: Thread,
  state: ThreadState,
  missing: string | null,
  isSought: boolean,
  onGone: () => void,
): void {
  const { loading, stale, hasOlder, problem, items } = state;
  const refreshed = useRef<string | null>(null);
  const gone = useRef(onGone);
  gone.current = onGone;
  const isReading = missing !== null && loading === "nothing" && !stale && !problem;
  useEffect(() => {
    if (!isReading) return;
    const wanted = sequenceOf(missing);
    const first = sequenceOf(items.find((item) => item.messageId)?.messageId ?? "");
    const isBefore = wanted < first && (isSought || first - wanted < MAX_READ_BACK);
    if (hasOlder && isBefore) void thread.loadOlder(wanted);
    else if (refreshed.current !== missing) {
      // It may be newer than what was read.
      refreshed.current = missing;
      void thread.refresh();
    } else gone.current();
  }, [isReading, missing, hasOlder, isSought, thread, items]);
}

/** Where the message stands in its conversation, which its id begins with; NaN: it is no message's id. */
const sequenceOf = (messageId: string): number => Number.parseInt(messageId, 10);

/** Keeps where the user is a moment after they scrolled, and when they leave the page. */
function useKeptPlace(
  scroller: RefObject<HTMLDivElement | null>,
  keep: (view: HTMLElement, isAtEnd: boolean) => void,
): (isAtEnd: boolean) => void {
  const latest = useRef(keep);
  latest.current = keep;
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; isAtEnd: boolean } | null>(null);
  const look = useCallback(() => {
    if (waiting.current && scroller.current) latest.current(scroller.current, waiting.current.isAtEnd);
    waiting.current = null;
  }, [scroller]);
  useEffect(() => {
    window.addEventListener("pagehide", look);
    return () => {
      window.removeEventListener("pagehide", look);
      clearTimeout(waiting.current?.timer);
      waiting.current = null;
    };
  }, [look]);
  return (isAtEnd) => {
    // Looking takes time, so it is not done for every frame of scrolling.
    if (waiting.current) waiting.current.isAtEnd = isAtEnd;
    else waiting.current = { timer: setTimeout(look, KEEP_AFTER_MS), isAtEnd };
  };
}
