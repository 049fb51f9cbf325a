/**
 * Messages that are not answered yet, kept in this browser: after a reload, a crash or signing in again they are
 * sent under the same key, or their answer is asked for.
 */

import type { UserStorage } from "@/cache/userStorage";
import type { Turn, TurnRequest } from "./turn";

/** The service knows a key for 24 hours; after that a second try could be a second message. */
const KEPT_FOR_MS = 23 * 3_600_000;
const PREFIX = "outbox:";

export interface PendingTurn {
  key: string;
  request: TurnRequest;
  sentAt: string;
  turnId: string | null;
  conversationId: string | null;
  /** It was refused, or given up; it goes out again when the user says so. */
  held: boolean;
}

/** What one user has under way in this browser, in every tab. */
export class Outbox {
  constructor(
    readonly storage: UserStorage,
    readonly now: () => number = Date.now,
  ) {}

  /** Keeps how far the turn is. One that is answered, or that never will be, is forgotten. */
  save(turn: Turn): void {
    const name = PREFIX + turn.key;
    if (turn.phase === "answered") return this.storage.remove(name);
    const { key, request, sentAt, turnId, conversationId } = turn;
    const held = turn.phase === "failed";
    this.storage.set(name, { key, request, sentAt, turnId, conversationId, held } satisfies PendingTurn);
  }

  remove(key: string): void {
    this.storage.remove(PREFIX + key);
  }

  /** Everything under way, oldest first. */
  pending(): PendingTurn[] {
    const kept = this.storage
      .keys(PREFIX)
      .map((name) => ({ name, entry: this.storage.get<PendingTurn>(name) }))
      .filter(({ name, entry }) => {
        const fresh = entry !== null && this.now() - Date.parse(entry.sentAt) < KEPT_FOR_MS;
        if (!fresh) this.storage.remove(name);
        return fresh;
      });
    return kept
      .flatMap(({ entry }) => (entry ? [entry] : []))
      .sort((one, other) => one.sentAt.localeCompare(other.sentAt));
  }
}

/**
 * Runs the work unless another tab of this browser is at it; false: another is. The browser frees the key when
 * the tab is closed.
 */
export async function withTurnLock(key: string, work: () => Promise<unknown>): Promise<boolean> {
  let begun = false;
  const begin = async () => {
    begun = true;
    await work();
    return true;
  };
  if (!("locks" in navigator)) return begin();
  try {
    return await navigator.locks.request(`omniforge:turn:${key}`, { ifAvailable: true }, async (lock) =>
      lock ? begin() : false,
    );
  } catch (error) {
    // A frame that may keep nothing gets no locks either; nobody else can be at it.
    if (begun) throw error;
    return begin();
  }
}
