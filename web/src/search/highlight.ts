/** Finds words in a text and splits the text at the matches, for highlighting. Pure. */

interface TextPiece {
  text: string;
  isMatch: boolean;
}

/** A range of a text in code points, as the service counts them; `end` is exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** The pieces in order; joined they are the text. Spans that overlap or lie outside are clipped. */
export function splitAtMatches(text: string, spans: readonly Span[]): TextPiece[] {
  const characters = Array.from(text);
  const pieces: TextPiece[] = [];
  let position = 0;
  const addUpTo = (end: number, isMatch: boolean) => {
    if (end > position) pieces.push({ text: characters.slice(position, end).join(""), isMatch });
    position = Math.max(position, end);
  };
  for (const { start, end } of [...spans].sort((one, other) => one.start - other.start)) {
    addUpTo(Math.min(start, characters.length), false);
    addUpTo(Math.min(end, characters.length), true);
  }
  addUpTo(characters.length, false);
  return pieces;
}

/** Where the words stand in the text, ignoring case and accents; null unless all of them are found. */
export function findWords(text: string, words: readonly string[]): Span[] | null {
  // Folding may change a character's length, so each is folded on its own and the offsets stay right.
  const characters = Array.from(text, foldText);
  const spans = words.map((word) => findWord(characters, foldText(word)));
  return spans.every((span) => span !== null) ? spans : null;
}

function findWord(characters: readonly string[], word: string): Span | null {
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

function foldText(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase("en");
}
