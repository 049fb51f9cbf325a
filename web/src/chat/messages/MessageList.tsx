/** Virtualized list of a thread's messages. */

import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useThread } from "@/chat/thread/ThreadContext";
import type { ThreadState } from "@/chat/thread/thread";
import { useHit, useOpenHit } from "@/search/openHit";
import searchStyles from "@/search/search.module.css";
import { classNames, IconButton, Spinner } from "@/ui/Controls";
import { AssistantMessage } from "./AssistantMessage";
import styles from "./messages.module.css";
import { UserMessage } from "./UserMessage";

const ESTIMATED_HEIGHT = 120;
const PADDING_START = 16;
/** Rows beyond the view that are rendered ahead. */
const AHEAD = 6;
/** As `AHEAD`, until a hit is on screen: what is not seen would only delay it. */
const AHEAD_OF_HIT = 1;
/** Older messages are fetched this close to the top, in pixels. */
const FETCH_WITHIN = 600;
const AT_END_WITHIN = 80;

export function MessageList({ state }: { state: ThreadState }) {
  const thread = useThread();
  const { items, hasOlder, hasNewer, loading, isBusy } = state;
  const scroller = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const [editedId, setEditedId] = useState<string | null>(null);
  const editedIndex = editedId === null ? -1 : items.findIndex((item) => item.id === editedId);
  const hitId = useHit()?.id ?? null;
  const hitIndex = hitId === null ? -1 : items.findIndex((item) => item.messageId === hitId);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => items[index]?.id ?? index,
    estimateSize: () => ESTIMATED_HEIGHT,
    overscan: hitIndex < 0 ? AHEAD : AHEAD_OF_HIT,
    // A list that opens at a hit renders none of the rows before it.
    initialOffset: () =>
      hitIndex < 0 ? 0 : Math.max(0, PADDING_START + ESTIMATED_HEIGHT * hitIndex - window.innerHeight / 2),
    // What is being edited stays, with its text, while its user scrolls.
    rangeExtractor: (range) => withIndex(defaultRangeExtractor(range), editedIndex),
    paddingStart: PADDING_START,
    paddingEnd: 24,
    anchorTo: "end",
    followOnAppend: !hasNewer,
    scrollEndThreshold: AT_END_WITHIN,
  });

  const openHit = useOpenHit({ thread, state, scroller, virtualizer });
  const wasAtEnd = useStickToEnd(scroller, virtualizer.getTotalSize(), openHit.isScrolling || hasNewer);

  // A conversation opens at its end unless a hit is opened. The user's own message is always scrolled into view.
  const sentKey = items.findLast((item) => item.role === "user" && item.turn)?.turn?.key ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list follows what the user sends
  useEffect(() => {
    if (!openHit.isScrolling) virtualizer.scrollToEnd();
  }, [virtualizer, sentKey]);

  const onScroll = () => {
    const view = scroller.current;
    if (!view) return;
    wasAtEnd.current = isNearEnd(view) && !hasNewer;
    setAtEnd(wasAtEnd.current);
    openHit.onScroll(wasAtEnd.current);
    if (openHit.isScrolling) return;
    if (view.scrollTop < FETCH_WITHIN && hasOlder) void thread.loadOlder();
    if (hasNewer && distanceToEnd(view) < FETCH_WITHIN) void thread.loadNewer();
  };
  const showNewest = () => {
    thread.showNewest();
    virtualizer.scrollToEnd(hasNewer ? {} : { behavior: "smooth" });
  };

  return (
    <div className={styles.viewport}>
      <div
        ref={scroller}
        className={styles.scroller}
        onScroll={onScroll}
        role="log"
        aria-label="Messages"
        aria-live="off"
        aria-busy={loading !== "nothing"}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: messages are scrolled by keyboard, too
        tabIndex={0}
      >
        {loading === "older" && (
          <div className={styles.older} data-testid="load-older">
            <Spinner /> Loading earlier messages
          </div>
        )}
        <div className={styles.list} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((row) => {
            const item = items[row.index];
            if (!item) return null;
            return (
              <div
                key={row.key}
                ref={virtualizer.measureElement}
                data-index={row.index}
                className={classNames(
                  styles.row,
                  openHit.highlightedId === item.id && searchStyles.highlighted,
                )}
                style={{ transform: `translateY(${row.start}px)` }}
              >
                {item.role === "user" ? (
                  <UserMessage
                    item={item}
                    isBusy={isBusy}
                    isEdited={item.id === editedId}
                    onEdit={setEditedId}
                  />
                ) : (
                  <AssistantMessage item={item} isBusy={isBusy} isLast={row.index === items.length - 1} />
                )}
              </div>
            );
          })}
        </div>
      </div>
      <IconButton
        label="Scroll to the newest message"
        className={classNames(styles.scrollToEnd, isAtEnd && styles.hidden)}
        tabIndex={isAtEnd ? -1 : 0}
        aria-hidden={isAtEnd}
        data-testid="scroll-down"
        onClick={showNewest}
      >
        <ArrowDown size={18} aria-hidden />
      </IconButton>
    </div>
  );
}

const withIndex = (indexes: number[], index: number): number[] =>
  index < 0 || indexes.includes(index) ? indexes : [...indexes, index].sort((one, other) => one - other);

const distanceToEnd = (view: HTMLElement): number => view.scrollHeight - view.scrollTop - view.clientHeight;

const isNearEnd = (view: HTMLElement): boolean => distanceToEnd(view) < AT_END_WITHIN;

/**
 * Keeps the list at its end when a message grows or the composer takes up more height. The returned ref has to be
 * set on every scroll.
 */
function useStickToEnd(
  scroller: RefObject<HTMLDivElement | null>,
  height: number,
  isReadingElsewhere: boolean,
): RefObject<boolean> {
  const wasAtEnd = useRef(true);
  // The scrolling itself will tell whether the hit is at the end.
  if (isReadingElsewhere) wasAtEnd.current = false;
  useEffect(() => {
    const view = scroller.current;
    if (!view) return;
    const observer = new ResizeObserver(() => {
      if (wasAtEnd.current) view.scrollTop = view.scrollHeight;
    });
    observer.observe(view);
    return () => observer.disconnect();
  }, [scroller]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the height changes
  useLayoutEffect(() => {
    const view = scroller.current;
    if (view && wasAtEnd.current) view.scrollTop = view.scrollHeight;
  }, [scroller, height]);
  return wasAtEnd;
}
