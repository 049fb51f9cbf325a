/** Queries for lists that the API returns page by page, and updates of their cached items. */

import { type InfiniteData, type QueryClient, type QueryKey, useInfiniteQuery } from "@tanstack/react-query";

interface WithId {
  id: string;
}

interface Page<T> {
  items: readonly T[];
  next_cursor?: string | null;
}

type Pages<T> = InfiniteData<Page<T>, unknown>;

interface PagedQueryOptions {
  /** The polling interval; by default the query does not poll. */
  refetchEveryMs?: number;
  /** Whether to fetch at all; by default it does. */
  enabled?: boolean;
}

/** An infinite query with the `items` of all loaded pages. */
export function usePagedQuery<T extends WithId>(
  queryKey: QueryKey,
  fetchPage: (cursor: string | null) => Promise<Page<T>>,
  { refetchEveryMs, enabled = true }: PagedQueryOptions = {},
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => fetchPage(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page: Page<T>) => page.next_cursor ?? null,
    refetchInterval: refetchEveryMs ?? false,
    enabled,
  });
  return { ...query, items: query.data ? flattenPages(query.data) : null };
}

/** The items of all pages. An item that moved to a later page between two requests is listed once. */
export function flattenPages<T extends WithId>(pages: Pages<T>): T[] {
  const byId = new Map<string, T>();
  for (const page of pages.pages) for (const item of page.items) byId.set(item.id, item);
  return [...byId.values()];
}

/** Updates every cached list under the key. */
export function updateItems<T extends WithId>(
  queries: QueryClient,
  queryKey: QueryKey,
  update: (items: readonly T[]) => readonly T[],
): void {
  queries.setQueriesData<Pages<T>>(
    { queryKey },
    (pages) =>
      pages && { ...pages, pages: pages.pages.map((page) => ({ ...page, items: update(page.items) })) },
  );
}

/** Adds an item at the start of a cached list. */
export function prependItem<T extends WithId>(queries: QueryClient, queryKey: QueryKey, item: T): void {
  queries.setQueriesData<Pages<T>>({ queryKey }, (pages) => {
    const [first, ...others] = pages?.pages ?? [];
    if (!pages || !first) return pages;
    return { ...pages, pages: [{ ...first, items: [item, ...first.items] }, ...others] };
  });
}

/** An update that replaces one item. */
export const replaceItem =
  <T extends WithId>(id: string, change: (item: T) => T) =>
  (items: readonly T[]): readonly T[] =>
    items.map((item) => (item.id === id ? change(item) : item));

/** An update that removes one item. */
export const removeItem =
  <T extends WithId>(id: string) =>
  (items: readonly T[]): readonly T[] =>
    items.filter((item) => item.id !== id);
