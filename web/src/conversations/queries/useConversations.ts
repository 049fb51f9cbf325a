/** The user's conversations for components: kept ones at once, the service's as soon as it answers. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { ApiError } from "@/api/apiError";
import { type Api, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { readConversationList, writeConversationList } from "@/cache/conversationListCache";
import { useApi, useUserStorage } from "@/session/SessionContext";
import {
  type ConversationPage,
  fromCachedItems,
  type LoadedConversations,
  mergeFirstPage,
  mergeNextPage,
} from "./conversationPages";
import { pendingTitles, RETRY_DELAYS_MS } from "./pendingTitles";

/** Conversations in use, or those put away. */
export type ConversationStatus = "active" | "archived";

const PAGE_SIZE = 50;

export interface ConversationsQuery {
  /** Null: nothing is known yet. */
  list: LoadedConversations | null;
  /** Why the list can't be read; what is shown may be old. */
  problem: ApiError | null;
  isFetching: boolean;
  refetch(): void;
  /** Reads the next page, if there is one and it is not being read. */
  fetchMore(): void;
  isFetchingMore: boolean;
  moreProblem: ApiError | null;
}

export function useConversations(shelf: ConversationStatus): ConversationsQuery {
  const api = useApi();
  const queries = useQueryClient();
  const storage = useUserStorage();
  const queryKey = useMemo(() => conversationListKey(shelf), [shelf]);
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<LoadedConversations> => {
      const page = await fetchPage(api, shelf, null, signal);
      // Read late: what was changed, or read, while the page was under way counts.
      return mergeFirstPage(queries.getQueryData<LoadedConversations>(queryKey), page, Date.now());
    },
    initialData: () => {
      const kept = shelf === "active" ? readConversationList(storage) : null;
      return kept ? fromCachedItems(kept) : undefined;
    },
    initialDataUpdatedAt: 0,
  });
  const more = useMutation({
    mutationFn: async (cursor: string) => {
      const page = await fetchPage(api, shelf, cursor);
      queries.setQueryData<LoadedConversations>(queryKey, (list) =>
        list?.cursor === cursor ? mergeNextPage(list, page, Date.now()) : list,
      );
    },
    onError: (error) => {
      // A page left open overnight: the list begins anew.
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

/** Keeps what is listed for the next visit. */
export function useCacheConversations(list: LoadedConversations | null): void {
  const storage = useUserStorage();
  useEffect(() => {
    if (list && list.newestReadAt !== null) writeConversationList(storage, list.items);
  }, [list, storage]);
}

/** Asks for the list again while titles of the last turns are being made. */
export function usePendingTitles(list: LoadedConversations | null): void {
  const queries = useQueryClient();
  const waitedFor = list ? pendingTitles(list.items) : "";
  useEffect(() => {
    if (!waitedFor) return;
    let timer: ReturnType<typeof setTimeout>;
    const ask = (tries: number) => {
      const wait = RETRY_DELAYS_MS[tries];
      if (wait === undefined) return;
      timer = setTimeout(() => {
        void queries.invalidateQueries({ queryKey: conversationListKey("active") });
        ask(tries + 1);
      }, wait);
    };
    ask(0);
    return () => clearTimeout(timer);
  }, [waitedFor, queries]);
}

export const conversationListKey = (shelf: ConversationStatus) =>
  queryKeys.conversationList({ status: shelf });

async function fetchPage(
  api: Api,
  status: ConversationStatus,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<ConversationPage> {
  const query = { status, limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) };
  return unwrap(api.GET("/v1/conversations", { params: { query }, ...(signal ? { signal } : {}) }));
}
