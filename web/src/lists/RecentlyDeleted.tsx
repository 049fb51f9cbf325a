/** Collapsed list of what was deleted in the last 30 days, with a button to restore each. */

import { Undo2 } from "lucide-react";
import { useState } from "react";
import { IconButton } from "@/ui/Controls";
import { ListError, ListLoading } from "./ListPlaceholders";
import { LoadMore } from "./LoadMore";
import styles from "./lists.module.css";

interface DeletedList<T> {
  isPending: boolean;
  items: readonly T[] | null;
  error: unknown;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

interface RecentlyDeletedProps<T> {
  /** What is listed, such as `tasks`. */
  what: string;
  /** Fetches once it is enabled. */
  useDeleted: (enabled: boolean) => DeletedList<T>;
  nameOf: (item: T) => string;
  onRestore: (item: T) => void;
}

export function RecentlyDeleted<T extends { id: string }>(props: RecentlyDeletedProps<T>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className={styles.deleted}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      data-testid="recently-deleted"
    >
      <summary>Recently deleted</summary>
      <DeletedItems {...props} isOpen={isOpen} />
    </details>
  );
}

function DeletedItems<T extends { id: string }>({
  what,
  useDeleted,
  nameOf,
  onRestore,
  isOpen,
}: RecentlyDeletedProps<T> & { isOpen: boolean }) {
  const deleted = useDeleted(isOpen);
  if (!isOpen) return null;
  if (deleted.isPending) return <ListLoading what={`deleted ${what}`} height={32} />;
  if (!deleted.items)
    return (
      <ListError what={`deleted ${what}`} error={deleted.error} onRetry={() => void deleted.refetch()} />
    );
  if (deleted.items.length === 0) return <p>Deleted {what} are kept here for 30 days.</p>;
  return (
    <>
      <ul aria-label={`Deleted ${what}`}>
        {deleted.items.map((item) => (
          <li key={item.id} data-testid="deleted-item">
            <span>{nameOf(item)}</span>
            <IconButton
              small
              label={`Restore: ${nameOf(item)}`}
              onClick={() => onRestore(item)}
              data-testid="restore"
            >
              <Undo2 size={15} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <LoadMore list={deleted} />
    </>
  );
}
