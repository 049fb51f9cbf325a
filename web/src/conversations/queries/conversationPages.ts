/**
 * The user's conversations as far as they are known: what the service listed, page by page, and what the user
 * changed since. Pure. The service lists by activity, so whatever happens shows in its first page; the pages
 * behind it are read once.
 */

import type { ConversationView } from "@/cache/conversationListCache";

export type { ConversationView };

export interface ConversationPage {
  items: readonly ConversationView[];
  next_cursor: string | null;
}

export interface LoadedConversations {
  /** Newest activity first, each once. */
  items: readonly ConversationView[];
  /** Where the list goes on; null: at its end. */
  cursor: string | null;
  /** The newest activity when the first page was read; null: it was not, an earlier visit kept the items. */
  newestReadAt: number | null;
  /** What was changed from here a moment ago. */
  localChanges: readonly LocalChange[];
}

/** A conversation as the user made it; a null view: it is not in the list any more. */
interface LocalChange {
  id: string;
  view: ConversationView | null;
  /** When, in milliseconds. */
  at: number;
}

/** A listing may be a moment older than a change that was made before it; so long the change has the last word. */
const OWN_HOLDS_MS = 5_000;

/** A list of which only what an earlier visit kept is known. */
export const fromCachedItems = (items: readonly ConversationView[]): LoadedConversations => ({
  items,
  cursor: null,
  newestReadAt: null,
  localChanges: [],
});

/**
 * The list with its first page as it is now. Conversations that belong in the page and are not there have gone.
 * Of what lies behind it, all is kept that was read; pinned ones are kept however they came to be known.
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
  // Where so much happened that the page ends before what was read begins, nobody knows what lies between.
  const reaches = list && end && list.newestReadAt !== null && list.newestReadAt >= lastActivity(end);
  const kept = reaches ? behind : behind.filter((each) => each.pinned);
  const cursor = reaches && kept.length > 0 ? list.cursor : page.next_cursor;
  return withLocalChanges({ items: [...page.items, ...kept], cursor, newestReadAt, localChanges }, now);
}

/** The list with the page its cursor led to. */
export function mergeNextPage(
  list: LoadedConversations,
  page: ConversationPage,
  now: number,
): LoadedConversations {
  const [first, end] = [page.items[0], page.items.at(-1)];
  const rest = notInPage(page, list.items);
  const before = rest.filter((each) => !first || lastActivity(each) >= lastActivity(first));
  // What was known of this stretch and is not in the page has gone.
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

/** The list after the user changed a conversation; null: it left the list. */
export function applyLocalChange(
  list: LoadedConversations,
  id: string,
  view: ConversationView | null,
  now: number,
): LoadedConversations {
  const localChanges = [...list.localChanges.filter((each) => each.id !== id), { id, view, at: now }];
  return withLocalChanges({ ...list, localChanges }, now);
}

/** The list with what was changed from here, as long as a listing might not know it. */
function withLocalChanges(list: LoadedConversations, now: number): LoadedConversations {
  const localChanges = list.localChanges.filter((each) => now - each.at < OWN_HOLDS_MS);
  if (localChanges.length === 0) return { ...list, localChanges };
  const changed = new Set(localChanges.map((each) => each.id));
  const others = list.items.filter((each) => !changed.has(each.id));
  const mine = localChanges.flatMap(({ view }) => (view ? [view] : []));
  const items = [...others, ...mine].sort((one, other) => lastActivity(other) - lastActivity(one));
  return { ...list, localChanges, items };
}

function notInPage(page: ConversationPage, items: readonly ConversationView[]): readonly ConversationView[] {
  const told = new Set(page.items.map((each) => each.id));
  return items.filter((each) => !told.has(each.id));
}

const lastActivity = (each: ConversationView): number => Date.parse(each.updated_at);
