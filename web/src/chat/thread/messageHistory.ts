/** Stored messages of a conversation, page by page from the newest. */

import { type Api, unwrap } from "@/api/client";
import type { MessageView } from "@/cache/messageCache";

const PAGE = 50;
const MAX_PAGE = 100;

export interface MessagePage {
  messages: readonly MessageView[];
  /** Older messages lie before the first. */
  hasOlder: boolean;
}

/** The messages before a sequence, back to another one; ascending. A thousand are read by ten requests. */
export async function fetchMessagesBackTo(
  api: Api,
  conversationId: string,
  before: number,
  backTo: number,
): Promise<MessagePage> {
  const messages: MessageView[] = [];
  for (let first = before; ; ) {
    const page = await fetchMessagePage(api, conversationId, first, MAX_PAGE);
    messages.unshift(...page.messages);
    first = page.messages[0]?.sequence ?? backTo;
    if (first <= backTo || !page.hasOlder) return { messages, hasOlder: page.hasOlder };
  }
}

/** The newest messages, or those before a sequence; ascending. */
export async function fetchMessagePage(
  api: Api,
  conversationId: string,
  before?: number,
  limit = PAGE,
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
 * The messages shown so far with the newest page as it is now. What lies before the page is kept if the page
 * goes on from it; else the conversation took another way, and only the page is known.
 */
export function mergeNewestPage(
  shown: readonly MessageView[],
  hadOlder: boolean,
  page: MessagePage,
): { messages: readonly MessageView[]; hasOlder: boolean } {
  const first = page.messages[0];
  const index = first ? shown.findIndex((message) => message.id === first.id) : -1;
  if (index <= 0) return page;
  const before = shown.slice(0, index);
  return { messages: [...before, ...reuseUnchanged(shown, page.messages)], hasOlder: hadOlder };
}

/** The page's messages; one that was shown before as it is now stays the same object. */
function reuseUnchanged(shown: readonly MessageView[], page: readonly MessageView[]): readonly MessageView[] {
  const known = new Map(shown.map((message) => [message.id, message]));
  return page.map((message) => {
    const before = known.get(message.id);
    return before && JSON.stringify(before) === JSON.stringify(message) ? before : message;
  });
}
