/** Virtualized list of conversations, with keyboard navigation. */

import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import styles from "@/conversations/conversations.module.css";
import type { ConversationView } from "@/conversations/queries/conversationPages";
import { useConversationActions } from "@/conversations/queries/useConversationActions";
import type { ConversationsQuery } from "@/conversations/queries/useConversations";
import { useDeleteConversation } from "@/conversations/queries/useDeleteConversation";
import { useHrefs } from "@/conversations/useHrefs";
import { useOpenConversation } from "@/shell/routes";
import { Button, Spinner } from "@/ui/Controls";
import { ConversationRow } from "./ConversationRow";
import { adjacentConversation, type ListRow } from "./listRows";
import { useRovingRow } from "./useRovingRow";
import { useRowHeights } from "./useRowHeights";

/** The next page is fetched this many rows before the end. */
const FETCH_WITHIN = 12;

interface ConversationListProps {
  label: string;
  rows: readonly ListRow[];
  conversations: ConversationsQuery;
}

export function ConversationList({ label, rows, conversations }: ConversationListProps) {
  const [openId] = useOpenConversation();
  const hrefs = useHrefs();
  const scroller = useRef<HTMLDivElement>(null);
  const heights = useRowHeights();
  const current = useRef(-1);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: (index) => heights[rows[index]?.kind ?? "conversation"],
    overscan: 8,
    // The current row stays rendered while it is scrolled out of view, so that it keeps focus.
    rangeExtractor: (range) => includeIndex(defaultRangeExtractor(range), current.current),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the virtualizer caches sizes until they are measured again
  useEffect(() => virtualizer.measure(), [virtualizer, heights, rows]);
  const roving = useRovingRow(rows, openId, scroller, (index) => {
    // A heading is scrolled into view together with the conversation below it.
    if (rows[index - 1]?.kind === "heading") virtualizer.scrollToIndex(index - 1);
    virtualizer.scrollToIndex(index);
  });
  current.current = roving.current;
  const { renamingId, ...handlers } = useRowHandlers(rows, roving.focusRow);

  const { list, fetchMore, moreProblem } = conversations;
  const isEndNear = (virtualizer.range?.endIndex ?? 0) >= rows.length - FETCH_WITHIN;
  const cursor = list?.cursor ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page is fetched once, when its end comes near
  useEffect(() => {
    if (isEndNear && cursor && !moreProblem) fetchMore();
  }, [isEndNear, cursor]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || roving.handleKey(event)) return;
    const row = rows[roving.current];
    if (row?.kind !== "conversation" || !(event.target instanceof HTMLAnchorElement)) return;
    if (event.key === "F2") handlers.onRename(row.conversation);
    else if (event.key === "Delete") handlers.onDelete(row.conversation);
    else return;
    event.preventDefault();
  };

  return (
    <div ref={scroller} className={styles.scroller} data-testid="conversation-list">
      <ul
        className={styles.list}
        style={{ height: virtualizer.getTotalSize() }}
        aria-label={label}
        onKeyDown={onKeyDown}
      >
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          const style = { height: item.size, transform: `translateY(${item.start}px)` };
          if (row.kind === "heading") {
            return (
              <li key={row.key} className={styles.heading} style={style}>
                <h2>{row.label}</h2>
              </li>
            );
          }
          const isOpen = row.key === openId;
          return (
            <li
              key={row.key}
              className={styles.row}
              style={style}
              data-key={row.key}
              data-open={isOpen || undefined}
              data-testid="conversation-item"
              aria-setsize={cursor ? -1 : list?.items.length}
              aria-posinset={row.position}
              onFocus={() => roving.onFocus(row.key)}
            >
              <ConversationRow
                conversation={row.conversation}
                href={hrefs.conversation(row.key)}
                isOpen={isOpen}
                isCurrent={item.index === roving.current}
                isRenaming={renamingId === row.key}
                {...handlers}
              />
            </li>
          );
        })}
      </ul>
      <ListFooter conversations={conversations} />
    </div>
  );
}

/** Loading state and errors at the end of the list. */
function ListFooter({ conversations }: { conversations: ConversationsQuery }) {
  const { isFetchingMore, moreProblem, fetchMore } = conversations;
  if (isFetchingMore) {
    return (
      <div className={styles.note}>
        <Spinner /> Loading more
      </div>
    );
  }
  if (!moreProblem) return null;
  return (
    <div className={styles.note} role="alert">
      The rest of the list can't be read.
      <Button small onClick={fetchMore}>
        Try again
      </Button>
    </div>
  );
}

/** Handlers for the menus and keys of the rows. */
function useRowHandlers(rows: readonly ListRow[], focusRow: (key: string) => void) {
  const [renamingId, setRenamingId] = useState<string | null>(null);
  const { rename } = useConversationActions();
  const remove = useDeleteConversation();
  const latest = useRef({ rows, focusRow, remove });
  latest.current = { rows, focusRow, remove };
  const onRename = useCallback((conversation: ConversationView) => setRenamingId(conversation.id), []);
  const onRenamed = useCallback(
    (conversation: ConversationView, name: string) => void rename(conversation, name),
    [rename],
  );
  const onRenameClosed = useCallback((conversation: ConversationView, byKey: boolean) => {
    setRenamingId(null);
    if (byKey) latest.current.focusRow(conversation.id);
  }, []);
  const onDelete = useCallback((conversation: ConversationView) => {
    const { rows: all, focusRow: focus } = latest.current;
    const index = all.findIndex((row) => row.key === conversation.id);
    const below = adjacentConversation(all, index, 1);
    const next = all[below === index ? adjacentConversation(all, index, -1) : below];
    if (next && next.key !== conversation.id) focus(next.key);
    void latest.current.remove(conversation, () => {
      // The toast that had focus is gone.
      if (document.activeElement === document.body) latest.current.focusRow(conversation.id);
    });
  }, []);
  return { renamingId, onRename, onRenamed, onRenameClosed, onDelete };
}

function includeIndex(indexes: number[], index: number): number[] {
  if (index < 0 || indexes.includes(index)) return indexes;
  return [...indexes, index].sort((one, other) => one - other);
}
