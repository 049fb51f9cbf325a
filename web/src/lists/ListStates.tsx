/** The states of every list that the API returns page by page: loading, failed, empty, and more to load. */

import type { ReactNode } from "react";
import { ListError, ListLoading } from "./ListPlaceholders";
import { LoadMore } from "./LoadMore";

/** What `usePagedQuery` returns, as far as it is shown. */
export interface ShownList<T> {
  isPending: boolean;
  items: readonly T[] | null;
  error: unknown;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

interface ListStatesProps<T> {
  list: ShownList<T>;
  /** What is listed, such as `tasks`. */
  what: string;
  /** The height of an item, in pixels, for the time until there are any. */
  height?: number;
  /** Shown in place of no items; without it the children get an empty list. */
  empty?: ReactNode;
  /** The label of the button for the next page. */
  more?: string;
  children: (items: readonly T[]) => ReactNode;
}

export function ListStates<T>({ list, what, height = 44, empty, more, children }: ListStatesProps<T>) {
  if (list.isPending) return <ListLoading what={what} height={height} />;
  if (!list.items) return <ListError what={what} error={list.error} onRetry={() => void list.refetch()} />;
  if (list.items.length === 0 && empty !== undefined) return empty;
  return (
    <>
      {children(list.items)}
      <LoadMore list={list} {...(more ? { label: more } : {})} />
    </>
  );
}
