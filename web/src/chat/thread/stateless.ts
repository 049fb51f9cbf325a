/** Stateless turns, which the service does not store. They are sent along with the next message as its history. */

import type { PriorMessage, Turn } from "@/stream/turn";

/** The limit of `POST /v1/chat`. */
const MAX_MESSAGES = 100;

/** Whether the service does not store the turn. One that is stored later counts as stored. */
export const isStateless = (turn: Turn): boolean =>
  turn.reply?.metadata.persisted === false && turn.reply.metadata.stored_later !== true;

/** The messages of the stateless turns, oldest first; undefined if there are none. */
export function statelessHistory(turns: readonly Turn[]): readonly PriorMessage[] | undefined {
  const messages = turns.filter(isStateless).flatMap((turn): PriorMessage[] => [
    { role: "user", content: turn.request.text },
    { role: "assistant", content: turn.text },
  ]);
  return messages.length > 0 ? messages.slice(-MAX_MESSAGES) : undefined;
}

/** What the last stateless turn left open; undefined if that is nothing. */
export function statelessState(turns: readonly Turn[]): string | undefined {
  const state = turns.filter(isStateless).at(-1)?.reply?.metadata.state;
  return typeof state === "string" ? state : undefined;
}

/** Whether the service rejected what was sent along: it does store the history, or the state is too old. */
export const isHistoryRejected = (turn: Turn): boolean =>
  (turn.error?.code === "field_unknown" || turn.error?.code === "state_invalid") &&
  turn.request.kind === "send" &&
  turn.request.before !== undefined;
