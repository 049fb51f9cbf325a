/**
 * Stores turns that are not answered yet, so that they are resumed after a reload, a crash or a new sign-in: sent
 * again under the same idempotency key, or polled for their answer.
 */

import type { UserStorage } from "@/cache/userStorage";
import type { Turn, TurnRequest } from "./turn";

/** The service remembers idempotency keys for 24 hours. After that, a retry would be a second message. */
const MAX_AGE_MS = 23 * 3_600_000;
const PREFIX = "outbox:";

export interface PendingTurn {
  key: string;
  request: TurnRequest;
  sentAt: string;
  turnId: string | null;
  conversationId: string | null;
  /** It was sent at least once. */
  posted: boolean;
  /** It failed, and is retried only when the user asks for it. */
  held: boolean;
}

/** The unanswered turns of one user in this browser, in all tabs. */
export class Outbox {
  constructor(
    readonly storage: UserStorage,
    readonly now: () => number = Date.now,
  ) {}

  /** Stores the turn's progress, or removes the turn once it is answered. */
  save(turn: Turn): void {
    const name = PREFIX + turn.key;
    if (turn.phase === "answered") return this.storage.remove(name);
    const { key, request, sentAt, turnId, conversationId, isPosted: posted } = turn;
    const held = turn.phase === "failed";
    const entry: PendingTurn = { key, request, sentAt, turnId, conversationId, posted, held };
    this.storage.set(name, entry);
  }

  has(key: string): boolean {
    return this.storage.get(PREFIX + key) !== null;
  }

  /** The time for a new turn: later than that of every other, because turns are sent in the order of their times. */
  nextTime(): string {
    const last = this.pending().at(-1);
    return new Date(Math.max(this.now(), last ? Date.parse(last.sentAt) + 1 : 0)).toISOString();
  }

  remove(key: string): void {
    this.storage.remove(PREFIX + key);
  }

  /** The unanswered turns, oldest first. */
  pending(): PendingTurn[] {
    const entries = this.storage
      .keys(PREFIX)
      .map((name) => ({ name, entry: this.storage.get<PendingTurn>(name) }))
      .filter(({ name, entry }) => {
        const isFresh = entry !== null && this.now() - Date.parse(entry.sentAt) < MAX_AGE_MS;
        if (!isFresh) this.storage.remove(name);
        return isFresh;
      });
    return entries
      .flatMap(({ entry }) => (entry ? [entry] : []))
      .sort((one, other) => one.sentAt.localeCompare(other.sentAt));
  }
}
