/** Button that loads the next page of a list. */

import { Button } from "@/ui/Controls";
import styles from "./lists.module.css";

interface PagedList {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

export function LoadMore({ list, label = "Show more" }: { list: PagedList; label?: string }) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      small
      variant="quiet"
      className={styles.more}
      disabled={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {list.isFetchingNextPage ? "Loading…" : label}
    </Button>
  );
}
