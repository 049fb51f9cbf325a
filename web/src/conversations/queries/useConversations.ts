/** Query for the user's conversations. Starts with the cached list, and fetches pages on demand. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { ApiError } from "@/api/apiError";
import { type Api, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { readConversationList, writeConversationList } from "@/cache/conversationListCache";
import { usePagedQuery } from "@/lists/pagedQuery";
import { useApi, useUserStorage } from "@/session/SessionContext";
import {
  type ConversationPage,
  type ConversationView,
  fromCachedItems,
  type LoadedConversations,
  mergeFirstPage,
  mergeNextPage,
} from "./conversationPages";
import { pendingTitles, RETRY_DELAYS_MS } from "./pendingTitles";

export type ConversationStatus = "active" | "archived";

const PAGE_SIZE = 50;
const PINNED_PAGE = 100;

export interface ConversationsQuery {
  /** Null until something is loaded. */
  list: LoadedConversations | null;
  /** Why the list can't be fetched; the loaded one may be outdated. */
  problem: ApiError | null;
  isFetching: boolean;
  refetch(): void;
  /** Fetches the next page, if there is one. */
  fetchMore(): void;
  isFetchingMore: boolean;
  moreProblem: ApiError | null;
}

export function useConversations(status: ConversationStatus): ConversationsQuery {
  const api = useApi();
  const queries = useQueryClient();
  const storage = useUserStorage();
  const queryKey = useMemo(() => conversationListKey(status), [status]);
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<LoadedConversations> => {
      const page = await fetchPage(api, status, null, signal);
      // The list is read after the request, because it may have changed in the meantime.
      return mergeFirstPage(queries.getQueryData<LoadedConversations>(queryKey), page, Date.now());
    },
    initialData: () => {
      const cached = status === "active" ? readConversationList(storage) : null;
      return cached ? fromCachedItems(cached) : undefined;
    },
    initialDataUpdatedAt: 0,
  });
  const more = useMutation({
    mutationFn: async (cursor: string) => {
      const page = await fetchPage(api, status, cursor);
      queries.setQueryData<LoadedConversations>(queryKey, (list) =>
        list?.cursor === cursor ? mergeNextPage(list, page, Date.now()) : list,
      );
    },
    onError: (error) => {
      // Cursors expire, for example overnight. The list then starts again at the first page.
      if (error instanceof ApiError && error.code.startsWith("cursor_")) {
        queries.setQueryData<LoadedConversations>(queryKey, (list) => list && fromCachedItems(list.items));
        void queries.invalidateQueries({ queryKey });
      }
    },
  });
  const list = query.data ?? null;
  return {
    list,
    problem: query.error ? ApiError.from(query.error) : null,
    isFetching: query.isFetching,
    refetch: () => void query.refetch(),
    fetchMore: () => {
      if (list?.cursor && !more.isPending) more.mutate(list.cursor);
    },
    isFetchingMore: more.isPending,
    moreProblem: more.error ? ApiError.from(more.error) : null,
  };
}

/** The loaded conversations, and pinned ones that are further down the service's list. */
export function useWithPinned(
  list: LoadedConversations | null,
  status: ConversationStatus,
): readonly ConversationView[] {
  const api = useApi();
  const { data: pinned } = useQuery({
    queryKey: [...queryKeys.pinned, status],
    queryFn: async () => {
      const query = { status, pinned: true, limit: PINNED_PAGE };
      return (await unwrap(api.GET("/v1/conversations", { params: { query } }))).items;
    },
  });
  return useMemo(() => {
    const items = list?.items ?? [];
    const known = new Set([...items, ...(list?.localChanges ?? [])].map((each) => each.id));
    return [...items, ...(pinned ?? []).filter((each) => !known.has(each.id))];
  }, [list, pinned]);
}

/** The conversations that the user deleted and can restore, the last deleted first. */
export function useDeletedConversations() {
  const api = useApi();
  return usePagedQuery<ConversationView>(queryKeys.deletedConversations, (cursor) =>
    unwrap(
      api.GET("/v1/conversations", { params: { query: { deleted: true, ...(cursor ? { cursor } : {}) } } }),
    ),
  );
}

/** Caches the list for the next visit. */
export function useCacheConversations(list: LoadedConversations | null): void {
  const storage = useUserStorage();
  useEffect(() => {
    if (list && list.newestReadAt !== null) writeConversationList(storage, list.items);
  }, [list, storage]);
}

/** Refetches the list while titles are being generated. */
export function usePendingTitles(list: LoadedConversations | null): void {
  const queries = useQueryClient();
  const pending = list ? pendingTitles(list.items) : "";
  useEffect(() => {
    if (!pending) return;
    let timer: ReturnType<typeof setTimeout>;
    const poll = (tries: number) => {
      const delay = RETRY_DELAYS_MS[tries];
      if (delay === undefined) return;
      timer = setTimeout(() => {
        void queries.invalidateQueries({ queryKey: conversationListKey("active") });
        poll(tries + 1);
      }, delay);
    };
    poll(0);
    return () => clearTimeout(timer);
  }, [pending, queries]);
}

export const conversationListKey = (status: ConversationStatus) =>
  queryKeys.conversationList({ status: status });

async function fetchPage(
  api: Api,
  status: ConversationStatus,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<ConversationPage> {
  const query = { status, limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) };
  return unwrap(api.GET("/v1/conversations", { params: { query }, ...(signal ? { signal } : {}) }));
}
