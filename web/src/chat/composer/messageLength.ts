/** Measures messages against the length limit of `POST /v1/chat`. */

/** In code points. They always fit into the 32,000 bytes of UTF-8 that a message may have. */
export const MAX_CHARACTERS = 8_000;
/** Longer pastes are rejected, because a text field with megabytes of text blocks the page. */
export const MAX_PASTE = 100_000;
const WARN_FROM = 7_000;

interface MessageLength {
  characters: number;
  /** So close to the limit that the counter is shown. */
  isNearLimit: boolean;
  /** Why the message can't be sent, or null. */
  problem: string | null;
}

/** Counts code points, as the service does. */
export function measureMessage(text: string): MessageLength {
  // A very long text is too long by any count, so it need not be counted exactly.
  const characters = text.length > 4 * MAX_CHARACTERS ? text.length : codePoints(text);
  const over = characters - MAX_CHARACTERS;
  const unit = over === 1 ? "character" : "characters";
  const problem = over > 0 ? `${over.toLocaleString("en")} ${unit} too long` : null;
  return { characters, isNearLimit: characters >= WARN_FROM, problem };
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
