/** Collapsed list of what was deleted in the last 30 days, with a button to restore each. */

import { Undo2 } from "lucide-react";
import { useState } from "react";
import { IconButton } from "@/ui/Controls";
import { ListStates, type ShownList } from "./ListStates";
import styles from "./lists.module.css";

interface RecentlyDeletedProps<T> {
  /** What is listed, such as `tasks`. */
  what: string;
  /** Fetches once it is enabled. */
  useDeleted: (enabled: boolean) => ShownList<T>;
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
  const empty = <p>Deleted {what} are kept here for 30 days.</p>;
  return (
    <ListStates list={deleted} what={`deleted ${what}`} height={32} empty={empty}>
      {(items) => (
        <ul aria-label={`Deleted ${what}`}>
          {items.map((item) => (
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
      )}
    </ListStates>
  );
}
