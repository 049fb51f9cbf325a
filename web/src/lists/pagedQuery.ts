/** Lists of the API that come page by page: reading them, and changing what is shown before the API has answered. */

import {
  type InfiniteData,
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { ApiError } from "@/api/apiError";
import { showToast } from "@/ui/Toasts";

interface WithId {
  id: string;
}

export interface Page<T> {
  items: readonly T[];
  next_cursor?: string | null;
}

type Pages<T> = InfiniteData<Page<T>, unknown>;

export interface PagedQueryOptions {
  /** Read again after so long while somebody looks at it; not given: never by itself. */
  refetchEveryMs?: number;
}

/** A list as far as it was read: `items`, and the usual of a query to read further. */
export function usePagedQuery<T extends WithId>(
  queryKey: QueryKey,
  read: (cursor: string | null) => Promise<Page<T>>,
  { refetchEveryMs }: PagedQueryOptions = {},
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page: Page<T>) => page.next_cursor ?? null,
    refetchInterval: refetchEveryMs ?? false,
  });
  return { ...query, items: query.data ? flattenPages(query.data) : null };
}

/** What the pages hold. What moved to a later page between two reads is there once. */
export function flattenPages<T extends WithId>(pages: Pages<T>): T[] {
  const byId = new Map<string, T>();
  for (const page of pages.pages) for (const item of page.items) byId.set(item.id, item);
  return [...byId.values()];
}

/** A change of some fields as a request's body; the API's description calls every field of one required. */
export const partialBody = <T>(change: Partial<T>): T => change as T;

/** Changes every list kept under the key as if the API had answered so. */
export function updateItems<T extends WithId>(
  queries: QueryClient,
  queryKey: QueryKey,
  change: (items: readonly T[]) => readonly T[],
): void {
  queries.setQueriesData<Pages<T>>(
    { queryKey },
    (pages) =>
      pages && { ...pages, pages: pages.pages.map((page) => ({ ...page, items: change(page.items) })) },
  );
}

/** Puts an item before all others of a list that was read. */
export function prependItem<T extends WithId>(queries: QueryClient, queryKey: QueryKey, item: T): void {
  queries.setQueriesData<Pages<T>>({ queryKey }, (pages) => {
    const [first, ...others] = pages?.pages ?? [];
    if (!pages || !first) return pages;
    return { ...pages, pages: [{ ...first, items: [item, ...first.items] }, ...others] };
  });
}

export const replaceItem =
  <T extends WithId>(id: string, change: (item: T) => T) =>
  (items: readonly T[]): readonly T[] =>
    items.map((item) => (item.id === id ? change(item) : item));

export const removeItem =
  <T extends WithId>(id: string) =>
  (items: readonly T[]): readonly T[] =>
    items.filter((item) => item.id !== id);

/**
 * A change that is shown at once, and taken back when the API refuses it, with the reason in a notice. What is
 * kept under `queryKey` is read again in the end.
 */
export function useOptimisticMutation<V, R>(options: {
  queryKey: QueryKey;
  /** Shows the change; may change anything under `queryKey`. */
  show: (wish: V) => void;
  send: (wish: V) => Promise<R>;
  /** What could not be done, such as `The task could not be saved`. */
  failed: string;
  onDone?: (result: R, wish: V) => void;
  /** Whether it gives what was wished for back to the user; else the notice offers to try again. */
  onFailed?: (wish: V) => boolean;
}) {
  const { queryKey, show, send, failed, onDone, onFailed } = options;
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationKey: queryKey,
    mutationFn: send,
    onMutate: async (wish: V) => {
      // An answer that is on its way knows nothing of the change.
      await queries.cancelQueries({ queryKey });
      const before = queries.getQueriesData({ queryKey });
      show(wish);
      return before;
    },
    onSuccess: (result, wish) => onDone?.(result, wish),
    onError: (error, wish, before) => {
      for (const [key, data] of before ?? []) queries.setQueryData(key, data);
      const text = `${failed}: ${ApiError.from(error).message}`;
      if (onFailed?.(wish)) showToast({ text });
      else showToast({ text, action: { label: "Try again", run: () => mutation.mutate(wish) } });
    },
    // Reading while another change is under way would take that one back.
    onSettled: () => {
      if (queries.isMutating({ mutationKey: queryKey }) === 1) void queries.invalidateQueries({ queryKey });
    },
  });
  return mutation;
}
