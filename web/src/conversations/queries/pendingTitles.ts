/** Finds conversations whose titles are still being generated. Pure. */

import type { ConversationView } from "./conversationPages";

/** Delays between polls, in milliseconds. A title that is not there after them will not come soon. */
export const RETRY_DELAYS_MS: readonly number[] = [700, 1_500, 3_000, 6_000, 12_000];

const RECENT_MS = 120_000;

/**
 * Identifies the conversations without a title that were active recently; empty if there are none. The text changes
 * when there is a new title to wait for. "Recently" is relative to the newest activity in the list, because this
 * computer's clock may be wrong.
 */
export function pendingTitles(items: readonly ConversationView[]): string {
  const newest = Math.max(...items.map(lastActivity), Number.NEGATIVE_INFINITY);
  return items
    .filter(
      (each) => each.title === null && each.message_count > 0 && newest - lastActivity(each) < RECENT_MS,
    )
    .map((each) => `${each.id}:${each.message_count}`)
    .join(" ");
}

const lastActivity = (each: ConversationView): number => Date.parse(each.updated_at);
