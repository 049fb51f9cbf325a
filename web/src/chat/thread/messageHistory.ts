/** Fetches stored messages page by page, starting with the newest, and merges the pages. */

import { type Api, unwrap } from "@/api/client";
import type { MessageView } from "@/cache/messageCache";

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;

interface MessagePage {
  messages: readonly MessageView[];
  /** Whether there are messages before the first. */
  hasOlder: boolean;
}

/** The messages before one sequence number back to another, in ascending order; 100 per request. */
export async function fetchMessagesBackTo(
  api: Api,
  conversationId: string,
  before: number,
  backTo: number,
): Promise<MessagePage> {
  const messages: MessageView[] = [];
  for (let first = before; ; ) {
    const page = await fetchMessagePage(api, conversationId, first, MAX_PAGE_SIZE);
    messages.unshift(...page.messages);
    first = page.messages[0]?.sequence ?? backTo;
    if (first <= backTo || !page.hasOlder) return { messages, hasOlder: page.hasOlder };
  }
}

/** The newest messages, or those before a sequence number, in ascending order. */
export async function fetchMessagePage(
  api: Api,
  conversationId: string,
  before?: number,
  limit = PAGE_SIZE,
): Promise<MessagePage> {
  const query = before === undefined ? { limit } : { limit, before };
  const page = await unwrap(
    api.GET("/v1/conversations/{conversation_id}/messages", {
      params: { path: { conversation_id: conversationId }, query },
    }),
  );
  return { messages: page.items, hasOlder: page.next_cursor !== null };
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
