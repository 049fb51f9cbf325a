/** Turns that no history holds: what was said in them goes along with the next message, or nobody would know it. */

import type { PriorMessage, Turn } from "@/stream/turn";

/** How much of it the service takes. Source: `POST /v1/chat`. */
const MAX_SAID = 100;

/** What waits to be saved counts as saved: a history is kept. */
export const isStateless = (turn: Turn): boolean =>
  turn.reply?.metadata.persisted === false && turn.reply.metadata.stored_later !== true;

/** What was said in the turns that are not saved, oldest first; undefined: all are. */
export function statelessHistory(turns: readonly Turn[]): readonly PriorMessage[] | undefined {
  const said = turns.filter(isStateless).flatMap((turn): PriorMessage[] => [
    { role: "user", content: turn.request.text },
    { role: "assistant", content: turn.text },
  ]);
  return said.length > 0 ? said.slice(-MAX_SAID) : undefined;
}

/** Whether the turn was refused because a history is kept after all. */
export const isHistoryRejected = (turn: Turn): boolean =>
  turn.error?.code === "field_unknown" && turn.request.kind === "send" && turn.request.before !== undefined;
