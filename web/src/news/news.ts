/** What arrived while the user was not looking: conversations with messages that were not seen in this browser. Pure. */

import type { ConversationView } from "@/conversations/queries/conversationPages";

/** How many messages of each conversation were seen. */
export type SeenCounts = Readonly<Record<string, number>>;

/** More than the newest are not remembered. */
const MAX_SEEN = 300;

/**
 * The counts after a look at the newest conversations; `shown`: those on screen since the last look. One that was never heard of counts as seen on the first
 * look, and as unseen afterwards.
 */
export function withNewest(
  seen: SeenCounts | null,
  newest: readonly ConversationView[],
  shown: ReadonlySet<string>,
): SeenCounts {
  const after: Record<string, number> = { ...seen };
  for (const { id, message_count: count } of newest) {
    if (shown.has(id) || seen === null) after[id] = count;
    else after[id] ??= 0;
  }
  const entries = Object.entries(after);
  return entries.length > MAX_SEEN ? Object.fromEntries(entries.slice(-MAX_SEEN)) : after;
}

/** The conversations with messages that were not seen. */
export function unseen(seen: SeenCounts | null, newest: readonly ConversationView[]): ConversationView[] {
  return newest.filter(({ id, message_count: count }) => seen !== null && count > (seen[id] ?? count));
}
