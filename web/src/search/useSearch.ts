/** What a search finds: in the titles that are known here, and in what was said, which the service knows. */

import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { ApiError } from "@/api/apiError";
import { type Api, type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { nameOf } from "@/conversations/list/listRows";
import type { ConversationList, ConversationView } from "@/conversations/queries/conversationPages";
import { listKey, type Shelf } from "@/conversations/queries/useConversations";
import { useApi } from "@/session/SessionContext";
import { placesOf, type Span, withBegunWord, wordsOf } from "./highlight";

export type Hit = Schemas["HitView"];

export interface TitleHit {
  conversation: ConversationView;
  spans: readonly Span[];
}

const WAIT_MS = 200;
const PAGE_SIZE = 20;
/** A page may be empty and the next one not; so many are read at a time. */
const MAX_EMPTY = 5;

export interface Found {
  /** What the hits are for; behind what is being typed. */
  words: string;
  hits: readonly Hit[];
  hasMore: boolean;
  readMore(): void;
  isReadingMore: boolean;
  /** Nothing is known yet for these words, or for what is being typed. */
  isSearching: boolean;
  problem: ApiError | null;
  retry(): void;
}

export function useSearch(typed: string): Found {
  const api = useApi();
  const words = useSettled(typed.trim(), WAIT_MS);
  const query = useInfiniteQuery({
    queryKey: queryKeys.search(words),
    enabled: words !== "",
    initialPageParam: { q: words, cursor: null } as Asked,
    queryFn: ({ pageParam, signal }) => readPage(api, pageParam, signal),
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const hits = useMemo(() => distinct(query.data?.pages.flatMap((page) => page.items) ?? []), [query.data]);
  return {
    words,
    hits,
    hasMore: query.hasNextPage,
    readMore: () => void query.fetchNextPage(),
    isReadingMore: query.isFetchingNextPage,
    isSearching: words !== typed.trim() || query.isPending || query.isPlaceholderData,
    problem: query.error ? ApiError.from(query.error) : null,
    retry: () => void query.refetch(),
  };
}

const MAX_TITLES = 5;

/** The conversations whose titles hold all the words, of those that are known here. */
export function useTitleHits(typed: string): readonly TitleHit[] {
  const queries = useQueryClient();
  return useMemo(() => {
    const shelves = ["active", "archived"] satisfies Shelf[];
    const known = shelves.flatMap(
      (shelf) => queries.getQueryData<ConversationList>(listKey(shelf))?.items ?? [],
    );
    return titleHits(known, typed);
  }, [queries, typed]);
}

/** The first conversations whose names hold all words of the search. */
export function titleHits(known: readonly ConversationView[], search: string): TitleHit[] {
  const words = wordsOf(search);
  if (words.length === 0) return [];
  const hits: TitleHit[] = [];
  for (const conversation of known) {
    const spans = placesOf(nameOf(conversation), words);
    if (spans) hits.push({ conversation, spans });
    if (hits.length === MAX_TITLES) break;
  }
  return hits;
}

/** What the service is asked for, and from where on; null: from the beginning. */
interface Asked {
  q: string;
  cursor: string | null;
}

interface HitPage {
  items: readonly Hit[];
  next: Asked | null;
}

/** The next hits. Where nothing holds the last word it may not be written to its end yet. */
async function readPage(api: Api, asked: Asked, signal: AbortSignal): Promise<HitPage> {
  const page = await readHits(api, asked, signal);
  const begun = asked.cursor === null && page.items.length === 0 ? withBegunWord(asked.q) : null;
  return begun ? readHits(api, { q: begun, cursor: null }, signal) : page;
}

async function readHits(api: Api, { q, cursor }: Asked, signal: AbortSignal): Promise<HitPage> {
  let from = cursor;
  for (let pages = 1; ; pages++) {
    const query = { q, limit: PAGE_SIZE, ...(from ? { cursor: from } : {}) };
    const { items, next_cursor } = await unwrap(api.GET("/v1/search", { params: { query }, signal }));
    const next = next_cursor ? { q, cursor: next_cursor } : null;
    if (items.length > 0 || !next || pages >= MAX_EMPTY) return { items, next };
    from = next.cursor;
  }
}

/** Pages of a ranking that changed in between may tell a message twice. */
function distinct(hits: readonly Hit[]): readonly Hit[] {
  const told = new Set<string>();
  return hits.filter((hit) => {
    const name = `${hit.conversation_id} ${hit.message_id}`;
    if (told.has(name)) return false;
    told.add(name);
    return true;
  });
}

/** The value as soon as it stays the same for a while. */
function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
