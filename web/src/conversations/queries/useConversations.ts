/** The user's conversations for components: kept ones at once, the service's as soon as it answers. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { ApiError } from "@/api/apiError";
import { type Api, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { readConversationList, writeConversationList } from "@/cache/conversationListCache";
import { useApi, useUserStorage } from "@/session/SessionContext";
import { type ConversationList, listFrom, type Page, withFirstPage, withNextPage } from "./conversationPages";
import { ASK_AFTER_MS, awaited } from "./pendingTitles";

/** Conversations in use, or those put away. */
export type Shelf = "active" | "archived";

const PAGE_SIZE = 50;

export interface Conversations {
  /** Null: nothing is known yet. */
  list: ConversationList | null;
  /** Why the list can't be read; what is shown may be old. */
  problem: ApiError | null;
  isReading: boolean;
  read(): void;
  /** Reads the next page, if there is one and it is not being read. */
  readMore(): void;
  isReadingMore: boolean;
  moreProblem: ApiError | null;
}

export function useConversations(shelf: Shelf): Conversations {
  const api = useApi();
  const queries = useQueryClient();
  const storage = useUserStorage();
  const queryKey = useMemo(() => listKey(shelf), [shelf]);
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<ConversationList> => {
      const page = await readPage(api, shelf, null, signal);
      // Read late: what was changed, or read, while the page was under way counts.
      return withFirstPage(queries.getQueryData<ConversationList>(queryKey), page, Date.now());
    },
    initialData: () => {
      const kept = shelf === "active" ? readConversationList(storage) : null;
      return kept ? listFrom(kept) : undefined;
    },
    initialDataUpdatedAt: 0,
  });
  const more = useMutation({
    mutationFn: async (cursor: string) => {
      const page = await readPage(api, shelf, cursor);
      queries.setQueryData<ConversationList>(queryKey, (list) =>
        list?.cursor === cursor ? withNextPage(list, page, Date.now()) : list,
      );
    },
    onError: (error) => {
      // A page left open overnight: the list begins anew.
      if (error instanceof ApiError && error.code.startsWith("cursor_")) {
        queries.setQueryData<ConversationList>(queryKey, (list) => list && listFrom(list.items));
        void queries.invalidateQueries({ queryKey });
      }
    },
  });
  const list = query.data ?? null;
  return {
    list,
    problem: query.error ? ApiError.from(query.error) : null,
    isReading: query.isFetching,
    read: () => void query.refetch(),
    readMore: () => {
      if (list?.cursor && !more.isPending) more.mutate(list.cursor);
    },
    isReadingMore: more.isPending,
    moreProblem: more.error ? ApiError.from(more.error) : null,
  };
}

/** Keeps what is listed for the next visit. */
export function useKeptList(list: ConversationList | null): void {
  const storage = useUserStorage();
  useEffect(() => {
    if (list && list.readUpTo !== null) writeConversationList(storage, list.items);
  }, [list, storage]);
}

/** Asks for the list again while titles of the last turns are being made. */
export function useAwaitedTitles(list: ConversationList | null): void {
  const queries = useQueryClient();
  const waitedFor = list ? awaited(list.items) : "";
  useEffect(() => {
    if (!waitedFor) return;
    let timer: ReturnType<typeof setTimeout>;
    const ask = (tries: number) => {
      const wait = ASK_AFTER_MS[tries];
      if (wait === undefined) return;
      timer = setTimeout(() => {
        void queries.invalidateQueries({ queryKey: listKey("active") });
        ask(tries + 1);
      }, wait);
    };
    ask(0);
    return () => clearTimeout(timer);
  }, [waitedFor, queries]);
}

export const listKey = (shelf: Shelf) => queryKeys.conversationList({ status: shelf });

async function readPage(api: Api, status: Shelf, cursor: string | null, signal?: AbortSignal): Promise<Page> {
  const query = { status, limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) };
  return unwrap(api.GET("/v1/conversations", { params: { query }, ...(signal ? { signal } : {}) }));
}
