/** Conversations in the sidebar: new chat, search, and the list of active or archived conversations. */

import { Archive, ArrowLeft, SquarePen, Trash2 } from "lucide-react";
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import type { ApiError } from "@/api/apiError";
import { ConversationList } from "@/conversations/list/ConversationList";
import { buildListRows } from "@/conversations/list/listRows";
import {
  type ConversationStatus,
  useCacheConversations,
  useConversations,
  usePendingTitles,
  useWithPinned,
} from "@/conversations/queries/useConversations";
import { useToday } from "@/hooks/useToday";
import { SearchField } from "@/search/SearchField";
import { SearchResults } from "@/search/SearchResults";
import { useExpandSidebar } from "@/shell/useSidebar";
import { Button, Skeleton } from "@/ui/Controls";
import styles from "./conversations.module.css";
import { useHrefs } from "./useHrefs";

const DeletedConversations = lazy(() =>
  import("./DeletedConversations").then((it) => ({ default: it.DeletedConversations })),
);

export function ConversationSidebar() {
  const [query, setQuery] = useState("");
  const [status, setStatus] = useState<ConversationStatus>("active");
  const [isShowingDeleted, setShowingDeleted] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const hrefs = useHrefs();
  useShortcuts(field, hrefs.newChat);
  const isSearching = query.trim() !== "";
  return (
    <>
      <div className={styles.top}>
        <Link
          href={hrefs.newChat}
          className={styles.newChat}
          data-testid="new-chat"
          aria-keyshortcuts="Control+Shift+O"
        >
          <SquarePen size={16} aria-hidden /> New chat
        </Link>
        <SearchField ref={field} query={query} onQueryChange={setQuery} />
      </div>
      {isSearching ? (
        <SearchResults query={query} field={field} />
      ) : isShowingDeleted ? (
        <Suspense fallback={<ListSkeleton />}>
          <DeletedConversations onBack={() => setShowingDeleted(false)} />
        </Suspense>
      ) : (
        <ConversationsByStatus
          key={status}
          status={status}
          onStatusChange={setStatus}
          onShowDeleted={() => setShowingDeleted(true)}
        />
      )}
    </>
  );
}

const LABELS = { active: "Your conversations", archived: "Archived conversations" } as const;

function ConversationsByStatus({
  status,
  onStatusChange,
  onShowDeleted,
}: {
  status: ConversationStatus;
  onStatusChange: (status: ConversationStatus) => void;
  onShowDeleted: () => void;
}) {
  const conversations = useConversations(status);
  const { list, problem } = conversations;
  const today = useToday();
  const items = useWithPinned(list, status);
  const rows = useMemo(() => buildListRows(items, today), [items, today]);
  useCacheConversations(status === "active" ? list : null);
  usePendingTitles(status === "active" ? list : null);
  return (
    <>
      {status === "archived" && (
        <div className={styles.archiveHeader}>
          <Button
            variant="quiet"
            small
            onClick={() => onStatusChange("active")}
            data-testid="show-active"
            autoFocus
          >
            <ArrowLeft size={16} aria-hidden /> Archived
          </Button>
        </div>
      )}
      {list && problem && <StaleNotice problem={problem} onRetry={conversations.refetch} />}
      {rows.length > 0 && (
        <ConversationList label={LABELS[status]} rows={rows} conversations={conversations} />
      )}
      {rows.length === 0 &&
        (list ? !conversations.isFetching && <EmptyList status={status} /> : !problem && <ListSkeleton />)}
      {!list && problem && <LoadError problem={problem} onRetry={conversations.refetch} />}
      {rows.length === 0 && <div className={styles.rest} />}
      {status === "active" && (
        <div className={styles.foot}>
          <Button
            variant="quiet"
            small
            onClick={() => onStatusChange("archived")}
            data-testid="show-archived"
          >
            <Archive size={16} aria-hidden /> Archived
          </Button>
          <Button variant="quiet" small onClick={onShowDeleted} data-testid="show-deleted">
            <Trash2 size={16} aria-hidden /> Deleted
          </Button>
        </div>
      )}
    </>
  );
}

function EmptyList({ status }: { status: ConversationStatus }) {
  return (
    <p className={styles.nothing} data-testid="no-conversations">
      {status === "active"
        ? "No conversations yet. What you ask for appears here."
        : "Nothing is archived. Conversations you put away appear here."}
    </p>
  );
}

const WIDTHS = ["72%", "54%", "83%", "61%", "76%", "48%", "67%"] as const;

function ListSkeleton() {
  return (
    <div className={styles.loading} aria-busy="true" data-testid="loading-conversations">
      <span className="visually-hidden" role="status">
        Loading your conversations
      </span>
      {WIDTHS.map((width) => (
        <Skeleton key={width} width={width} height={13} />
      ))}
    </div>
  );
}

function LoadError({ problem, onRetry }: { problem: ApiError; onRetry: () => void }) {
  return (
    <div className={styles.nothing} role="alert" data-testid="conversations-problem">
      <p>
        {problem.status === 0
          ? "Your conversations can't be reached."
          : "Your conversations can't be read right now."}
      </p>
      <Button small onClick={onRetry} data-testid="retry">
        Try again
      </Button>
    </div>
  );
}

/** The list may be outdated. */
function StaleNotice({ problem, onRetry }: { problem: ApiError; onRetry: () => void }) {
  return (
    <div className={styles.stale} role="status">
      <span>{problem.status === 0 ? "Not up to date: no connection." : "Not up to date."}</span>
      <Button variant="quiet" small onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

/** Ctrl+K (or Cmd+K) focuses the search, Ctrl+Shift+O starts a new chat. */
function useShortcuts(field: React.RefObject<HTMLInputElement | null>, newChat: string): void {
  const [, navigate] = useLocation();
  const unfold = useExpandSidebar();
  useEffect(() => {
    const search = () => {
      unfold();
      // The sidebar can take focus only once it is shown.
      requestAnimationFrame(() => field.current?.focus());
    };
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      if (key === "k" && !event.shiftKey) search();
      else if (key === "o" && event.shiftKey) navigate(newChat);
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [field, newChat, navigate, unfold]);
}
