/** Titles are made behind the turn: a conversation that has none yet is asked after a few times. Pure. */

import type { ConversationView } from "./conversationPages";

/** A title that did not come within these waits (milliseconds, one after the other) will not come soon. */
export const RETRY_DELAYS_MS: readonly number[] = [700, 1_500, 3_000, 6_000, 12_000];

const RECENT_MS = 120_000;

/**
 * Names what titles are waited for; empty: none are. It changes when there is something new to wait for. Recent
 * is what happened shortly before the newest activity of the list, whatever this computer's clock says.
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
