/** Fetches pages of stored messages, and merges the newest with what was loaded before. */

import { type Api, unwrap } from "@/api/client";
import type { MessageView } from "@/cache/messageCache";

const PAGE_SIZE = 50;

export interface MessagePage {
  /** In ascending order. */
  messages: readonly MessageView[];
  /** Whether there are messages before the first. */
  hasOlder: boolean;
  /** Whether there are messages after the last. */
  hasNewer: boolean;
}

/** The newest messages, or those before or after a sequence number. */
export async function fetchMessagePage(
  api: Api,
  conversationId: string,
  where: { limit?: number; before?: number } | { limit?: number; after: number } = {},
): Promise<MessagePage> {
  const page = await unwrap(
    api.GET("/v1/conversations/{conversation_id}/messages", {
      params: { path: { conversation_id: conversationId }, query: { limit: PAGE_SIZE, ...where } },
    }),
  );
  const hasMore = page.next_cursor !== null;
  const isAfter = "after" in where;
  return { messages: page.items, hasOlder: isAfter || hasMore, hasNewer: isAfter && hasMore };
}

/**
 * Merges the newest page into the loaded messages. Older ones are kept if the page continues them. Otherwise the
 * conversation was changed elsewhere, and only the page is valid.
 */
export function mergeNewestPage(
  loaded: readonly MessageView[],
  hadOlder: boolean,
  page: MessagePage,
): { messages: readonly MessageView[]; hasOlder: boolean } {
  const first = page.messages[0];
  const index = first ? loaded.findIndex((message) => message.id === first.id) : -1;
  if (index <= 0) return page;
  const before = loaded.slice(0, index);
  return { messages: [...before, ...reuseUnchanged(loaded, page.messages)], hasOlder: hadOlder };
}

/** The page's messages. One that did not change stays the same object, so that it is not rendered again. */
function reuseUnchanged(
  loaded: readonly MessageView[],
  page: readonly MessageView[],
): readonly MessageView[] {
  const known = new Map(loaded.map((message) => [message.id, message]));
  return page.map((message) => {
    const before = known.get(message.id);
    return before && JSON.stringify(before) === JSON.stringify(message) ? before : message;
  });
}
