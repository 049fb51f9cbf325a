/** How long a message may be. Source: `POST /v1/chat`, which refuses more. */

/** In code points; they never take more than the 32,000 bytes of UTF-8 that a message may have. */
export const MAX_CHARACTERS = 8_000;
/** A paste beyond this is refused at once: a text field of megabytes stops the page. */
export const MAX_PASTE = 100_000;
const WARN_FROM = 7_000;

export interface MessageLength {
  characters: number;
  /** Near enough to the limit to say so. */
  isNearLimit: boolean;
  /** Why it can't be sent; null: it can. */
  problem: string | null;
}

/** The text's length as the service counts it: in code points. */
export function measureMessage(text: string): MessageLength {
  // Half of the code units at least; counting a long text exactly would take time for nothing.
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
