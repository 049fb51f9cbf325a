/** Searches messages and conversation titles through the API; titles that are loaded already show at once. */

import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { ApiError } from "@/api/apiError";
import { type Api, type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { conversationName } from "@/conversations/conversationName";
import type { ConversationView, LoadedConversations } from "@/conversations/queries/conversationPages";
import { type ConversationStatus, conversationListKey } from "@/conversations/queries/useConversations";
import { useApi } from "@/session/SessionContext";
import { findWords, type Span } from "./highlight";
import { queryWords, toPrefixQuery } from "./query";

export type Hit = Schemas["HitView"];

export interface TitleHit {
  conversation: ConversationView;
  spans: readonly Span[];
}

const DEBOUNCE_MS = 200;
const PAGE_SIZE = 20;
/** An empty page may be followed by a full one; this many are fetched at a time. */
const MAX_EMPTY_PAGES = 5;

export interface SearchResult {
  /** The query the hits belong to; it lags behind the typing. */
  query: string;
  hits: readonly Hit[];
  titles: readonly TitleHit[];
  hasMore: boolean;
  fetchMore(): void;
  isFetchingMore: boolean;
  /** The hits for what is being typed are not there yet. */
  isSearching: boolean;
  problem: ApiError | null;
  /** Repeats what failed. */
  retry(): void;
}

export function useSearch(typed: string): SearchResult {
  const api = useApi();
  const query = useDebounced(typed.trim(), DEBOUNCE_MS);
  const pages = useInfiniteQuery({
    queryKey: queryKeys.search(query),
    enabled: query !== "",
    initialPageParam: { q: query, cursor: null } as HitRequest,
    queryFn: ({ pageParam, signal }) => fetchPage(api, pageParam, signal),
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const hits = useMemo(
    () => withoutDuplicates(pages.data?.pages.flatMap((page) => page.items) ?? []),
    [pages.data],
  );
  const titles = useTitles(typed, query);
  const failed = [pages, titles.search].filter((each) => each.isError);
  const isRetrying = failed.some((each) => each.isFetching);
  const isPending = pages.isPending || titles.search.isPending;
  return {
    query,
    hits,
    titles: titles.hits,
    hasMore: pages.hasNextPage,
    fetchMore: () => void pages.fetchNextPage(),
    isFetchingMore: pages.isFetchingNextPage,
    isSearching: query !== typed.trim() || isPending || pages.isPlaceholderData || isRetrying,
    problem: failed[0] && !isRetrying ? ApiError.from(failed[0].error) : null,
    retry: () => {
      if (titles.search.isError) void titles.search.refetch();
      if (pages.isError) void (pages.isFetchNextPageError ? pages.fetchNextPage() : pages.refetch());
    },
  };
}

const MAX_TITLES = 5;
const TITLE_PAGE = 100;

const STATUSES = ["active", "archived"] satisfies ConversationStatus[];

/** The conversations whose titles contain all words that are typed, and the search for those that are not loaded. */
function useTitles(typed: string, query: string) {
  const queries = useQueryClient();
  const api = useApi();
  const search = useQuery({
    queryKey: queryKeys.titleSearch(query),
    queryFn: async ({ signal }) => {
      const pages = STATUSES.map((status) =>
        unwrap(
          api.GET("/v1/conversations", {
            params: { query: { title: query, status, limit: TITLE_PAGE } },
            signal,
          }),
        ),
      );
      return (await Promise.all(pages)).flatMap((page) => page.items);
    },
    enabled: query !== "",
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const found = search.data;
  const hits = useMemo(() => {
    const loaded = STATUSES.flatMap(
      (status) => queries.getQueryData<LoadedConversations>(conversationListKey(status))?.items ?? [],
    );
    const ids = new Set(loaded.map((each) => each.id));
    return matchTitles([...loaded, ...(found ?? []).filter((each) => !ids.has(each.id))], typed);
  }, [queries, found, typed]);
  return { hits, search };
}

export function matchTitles(known: readonly ConversationView[], query: string): TitleHit[] {
  const words = queryWords(query);
  if (words.length === 0) return [];
  const hits: TitleHit[] = [];
  for (const conversation of known) {
    const spans = findWords(conversationName(conversation), words);
    if (spans) hits.push({ conversation, spans });
    if (hits.length === MAX_TITLES) break;
  }
  return hits;
}

/** A query with the cursor of the page to fetch; null for the first page. */
interface HitRequest {
  q: string;
  cursor: string | null;
}

interface HitPage {
  items: readonly Hit[];
  next: HitRequest | null;
}

/** Fetches a page. A query without hits is repeated with its last word as a prefix: it may be half typed. */
async function fetchPage(api: Api, request: HitRequest, signal: AbortSignal): Promise<HitPage> {
  const page = await fetchHits(api, request, signal);
  const prefixQuery = request.cursor === null && page.items.length === 0 ? toPrefixQuery(request.q) : null;
  return prefixQuery ? fetchHits(api, { q: prefixQuery, cursor: null }, signal) : page;
}

async function fetchHits(api: Api, { q, cursor }: HitRequest, signal: AbortSignal): Promise<HitPage> {
  let from = cursor;
  for (let pages = 1; ; pages++) {
    const query = { q, limit: PAGE_SIZE, ...(from ? { cursor: from } : {}) };
    const { items, next_cursor } = await unwrap(api.GET("/v1/search", { params: { query }, signal }));
    const next = next_cursor ? { q, cursor: next_cursor } : null;
    if (items.length > 0 || !next || pages >= MAX_EMPTY_PAGES) return { items, next };
    from = next.cursor;
  }
}

/** If the ranking changes between two pages, both may contain the same message. */
function withoutDuplicates(hits: readonly Hit[]): readonly Hit[] {
  const seen = new Set<string>();
  return hits.filter((hit) => {
    const name = `${hit.conversation_id} ${hit.message_id}`;
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

/** The value once it has not changed for a while. */
function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
