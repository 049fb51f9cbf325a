/** A text in pieces, those that were searched for and those between. Pure. */

export interface Piece {
  text: string;
  isMatch: boolean;
}

/** A part of a text in characters (code points, as the service counts); `end` is behind it. */
export interface Span {
  start: number;
  end: number;
}

/** The pieces in order; together they are the text. Spans that lie outside or overlap count as far as they fit. */
export function pieces(text: string, spans: readonly Span[]): Piece[] {
  const characters = Array.from(text);
  const found: Piece[] = [];
  let place = 0;
  const upTo = (end: number, isMatch: boolean) => {
    if (end > place) found.push({ text: characters.slice(place, end).join(""), isMatch });
    place = Math.max(place, end);
  };
  for (const { start, end } of [...spans].sort((one, other) => one.start - other.start)) {
    upTo(Math.min(start, characters.length), false);
    upTo(Math.min(end, characters.length), true);
  }
  upTo(characters.length, false);
  return found;
}

/** Where the words stand in the text, whatever their case and accents; null: not all of them do. */
export function placesOf(text: string, words: readonly string[]): Span[] | null {
  // Character by character, so that what folding makes longer or shorter does not move the rest.
  const characters = Array.from(text, folded);
  const spans = words.map((word) => placeOf(characters, folded(word)));
  return spans.every((span) => span !== null) ? spans : null;
}

/** The words of a search as they are looked for in titles. */
export const wordsOf = (search: string): string[] => search.split(/[\s"*]+/).filter(Boolean);

/** The search with its last word as the beginning of one; null: that would be no other search. */
export function withBegunWord(search: string): string | null {
  const isOutsideQuotes = (search.match(/"/g)?.length ?? 0) % 2 === 0;
  return isOutsideQuotes && /[\p{L}\p{N}]{2,}$/u.test(search) ? `${search}*` : null;
}

function placeOf(characters: readonly string[], word: string): Span | null {
  for (let start = 0; start < characters.length; start++) {
    let rest = word;
    for (let end = start; end < characters.length; end++) {
      const character = characters[end] ?? "";
      if (!rest.startsWith(character)) break;
      rest = rest.slice(character.length);
      if (!rest) return { start, end: end + 1 };
    }
  }
  return null;
}

function folded(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase("en");
}
