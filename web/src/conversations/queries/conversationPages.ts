/**
 * Merges pages of the conversation list, and the user's own recent changes, into one list. Pure. The service lists
 * by last activity, so all news is on the first page, and the pages behind it are fetched only once.
 */

import type { ConversationView } from "@/cache/conversationListCache";

export type { ConversationView };

export interface ConversationPage {
  items: readonly ConversationView[];
  next_cursor: string | null;
}

export interface LoadedConversations {
  /** Without duplicates, newest activity first. */
  items: readonly ConversationView[];
  /** The cursor of the next page; null at the end of the list. */
  cursor: string | null;
  /** The newest activity when the first page was fetched; null if the items come from the cache. */
  newestReadAt: number | null;
  /** The user's recent changes. */
  localChanges: readonly LocalChange[];
}

/** A conversation as the user changed it; the view is null if it left the list. */
interface LocalChange {
  id: string;
  view: ConversationView | null;
  /** The time of the change in milliseconds. */
  at: number;
}

/** A response may be slightly older than a change made before it, so for this long the change wins. */
const LOCAL_CHANGE_MS = 5_000;

/** A list of which only the cached items are known. */
export const fromCachedItems = (items: readonly ConversationView[]): LoadedConversations => ({
  items,
  cursor: null,
  newestReadAt: null,
  localChanges: [],
});

/**
 * Merges the first page. Loaded conversations that belong on the page but are missing from it were removed. Those
 * behind the page are kept as long as there is no gap; pinned ones are always kept.
 */
export function mergeFirstPage(
  list: LoadedConversations | undefined,
  page: ConversationPage,
  now: number,
): LoadedConversations {
  const end = page.items.at(-1);
  const localChanges = list?.localChanges ?? [];
  const newestReadAt = page.items[0] ? lastActivity(page.items[0]) : 0;
  const rest = list && end && page.next_cursor !== null ? notInPage(page, list.items) : [];
  const behind = rest.filter((each) => end && lastActivity(each) <= lastActivity(end));
  // If the page ends before the loaded items start, conversations in between may be missing.
  const hasNoGap = list && end && list.newestReadAt !== null && list.newestReadAt >= lastActivity(end);
  const kept = hasNoGap ? behind : behind.filter((each) => each.pinned);
  const cursor = hasNoGap && kept.length > 0 ? list.cursor : page.next_cursor;
  return withLocalChanges({ items: [...page.items, ...kept], cursor, newestReadAt, localChanges }, now);
}

/** Merges the page at the list's cursor. */
export function mergeNextPage(
  list: LoadedConversations,
  page: ConversationPage,
  now: number,
): LoadedConversations {
  const [first, end] = [page.items[0], page.items.at(-1)];
  const rest = notInPage(page, list.items);
  const before = rest.filter((each) => !first || lastActivity(each) >= lastActivity(first));
  // Loaded conversations within the page's range that are missing from it were removed.
  const behind = rest.filter(
    (each) =>
      first &&
      end &&
      page.next_cursor &&
      lastActivity(each) < lastActivity(first) &&
      lastActivity(each) <= lastActivity(end),
  );
  return withLocalChanges(
    { ...list, items: [...before, ...page.items, ...behind], cursor: page.next_cursor },
    now,
  );
}

/** Applies a change by the user; the view is null if the conversation left the list. */
export function applyLocalChange(
  list: LoadedConversations,
  id: string,
  view: ConversationView | null,
  now: number,
): LoadedConversations {
  const localChanges = [...list.localChanges.filter((each) => each.id !== id), { id, view, at: now }];
  return withLocalChanges({ ...list, localChanges }, now);
}

/** Applies the recent changes, and drops those that any response knows by now. */
function withLocalChanges(list: LoadedConversations, now: number): LoadedConversations {
  const localChanges = list.localChanges.filter((each) => now - each.at < LOCAL_CHANGE_MS);
  if (localChanges.length === 0) return { ...list, localChanges };
  const changedIds = new Set(localChanges.map((each) => each.id));
  const others = list.items.filter((each) => !changedIds.has(each.id));
  const changed = localChanges.flatMap(({ view }) => (view ? [view] : []));
  const items = [...others, ...changed].sort((one, other) => lastActivity(other) - lastActivity(one));
  return { ...list, localChanges, items };
}

function notInPage(page: ConversationPage, items: readonly ConversationView[]): readonly ConversationView[] {
  const ids = new Set(page.items.map((each) => each.id));
  return items.filter((each) => !ids.has(each.id));
}

const lastActivity = (each: ConversationView): number => Date.parse(each.updated_at);
