/**
 * The user's conversations as far as they are known: what the service listed, page by page, and what the user
 * changed since. Pure. The service lists by activity, so whatever happens shows in its first page; the pages
 * behind it are read once.
 */

import type { ConversationView } from "@/cache/conversationListCache";

export type { ConversationView };

export interface Page {
  items: readonly ConversationView[];
  next_cursor: string | null;
}

export interface ConversationList {
  /** Newest activity first, each once. */
  items: readonly ConversationView[];
  /** Where the list goes on; null: at its end. */
  cursor: string | null;
  /** The newest activity when the first page was read; null: it was not, an earlier visit kept the items. */
  readUpTo: number | null;
  /** What was changed from here a moment ago. */
  own: readonly OwnChange[];
}

/** A conversation as the user made it; a null view: it is not in the list any more. */
interface OwnChange {
  id: string;
  view: ConversationView | null;
  /** When, in milliseconds. */
  at: number;
}

/** A listing may be a moment older than a change that was made before it; so long the change has the last word. */
const OWN_HOLDS_MS = 5_000;

/** A list of which only what an earlier visit kept is known. */
export const listFrom = (items: readonly ConversationView[]): ConversationList => ({
  items,
  cursor: null,
  readUpTo: null,
  own: [],
});

/**
 * The list with its first page as it is now. Conversations that belong in the page and are not there have gone.
 * Of what lies behind it, all is kept that was read; pinned ones are kept however they came to be known.
 */
export function withFirstPage(list: ConversationList | undefined, page: Page, now: number): ConversationList {
  const end = page.items.at(-1);
  const own = list?.own ?? [];
  const readUpTo = page.items[0] ? timeOf(page.items[0]) : 0;
  const rest = list && end && page.next_cursor !== null ? unless(page, list.items) : [];
  const behind = rest.filter((each) => end && timeOf(each) <= timeOf(end));
  // Where so much happened that the page ends before what was read begins, nobody knows what lies between.
  const reaches = list && end && list.readUpTo !== null && list.readUpTo >= timeOf(end);
  const kept = reaches ? behind : behind.filter((each) => each.pinned);
  const cursor = reaches && kept.length > 0 ? list.cursor : page.next_cursor;
  return settled({ items: [...page.items, ...kept], cursor, readUpTo, own }, now);
}

/** The list with the page its cursor led to. */
export function withNextPage(list: ConversationList, page: Page, now: number): ConversationList {
  const [first, end] = [page.items[0], page.items.at(-1)];
  const rest = unless(page, list.items);
  const before = rest.filter((each) => !first || timeOf(each) >= timeOf(first));
  // What was known of this stretch and is not in the page has gone.
  const behind = rest.filter(
    (each) => first && end && page.next_cursor && timeOf(each) < timeOf(first) && timeOf(each) <= timeOf(end),
  );
  return settled({ ...list, items: [...before, ...page.items, ...behind], cursor: page.next_cursor }, now);
}

/** The list after the user changed a conversation; null: it left the list. */
export function withOwn(
  list: ConversationList,
  id: string,
  view: ConversationView | null,
  now: number,
): ConversationList {
  const own = [...list.own.filter((each) => each.id !== id), { id, view, at: now }];
  return settled({ ...list, own }, now);
}

/** The list with what was changed from here, as long as a listing might not know it. */
function settled(list: ConversationList, now: number): ConversationList {
  const own = list.own.filter((each) => now - each.at < OWN_HOLDS_MS);
  if (own.length === 0) return { ...list, own };
  const changed = new Set(own.map((each) => each.id));
  const others = list.items.filter((each) => !changed.has(each.id));
  const mine = own.flatMap(({ view }) => (view ? [view] : []));
  const items = [...others, ...mine].sort((one, other) => timeOf(other) - timeOf(one));
  return { ...list, own, items };
}

function unless(page: Page, items: readonly ConversationView[]): readonly ConversationView[] {
  const told = new Set(page.items.map((each) => each.id));
  return items.filter((each) => !told.has(each.id));
}

const timeOf = (each: ConversationView): number => Date.parse(each.updated_at);
