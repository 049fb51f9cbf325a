/** Finds the formulas in Markdown, however a model marks them, and marks all of them as the parser expects. Pure. */

/** The mark that opens a formula, and the one that closes it. */
const MARKS: Readonly<Record<string, string>> = { "\\(": "\\)", "\\[": "\\]", $$: "$$" };
const OPENING = /`+|\\[([]|\$\$?|\\./g;
/** Of the text after a `$`: a formula has no space at its edges, and no digit follows it, unlike "$5 and $6". */
const DOLLARS = /^[^\s$](?:[^$\n]*[^\s$\\])?\$(?!\d)/;

/** Whether the text may have a formula. Cheap: most texts have none. */
export const mayHaveFormulas = (text: string): boolean => text.includes("$") || /\\[([]/.test(text);

/** The text with every formula between two dollars on each side; one on lines of its own stays a block. */
export function markFormulas(text: string): string {
  if (/^ {0,3}(?:```|~~~)/.test(text)) return text;
  let marked = "";
  let at = 0;
  for (;;) {
    OPENING.lastIndex = at;
    const found = OPENING.exec(text);
    if (!found) return marked + text.slice(at);
    const [mark] = found;
    const after = found.index + mark.length;
    const end = endOf(text, mark, after);
    marked += text.slice(at, found.index);
    at = end ?? after;
    marked += end === null || mark[0] === "`" ? text.slice(found.index, at) : formula(text, mark, after, end);
  }
}

/** Where what the mark opens ends, behind its closing mark; null if it opens nothing. */
function endOf(text: string, mark: string, after: number): number | null {
  const isCode = mark[0] === "`";
  const closing = isCode ? mark : MARKS[mark];
  const rest = text.slice(after, after + (isCode ? MAX_CODE : MAX_FORMULA));
  if (mark === "$") {
    const length = DOLLARS.exec(rest)?.[0].length;
    return length === undefined ? null : after + length;
  }
  const end = closing === undefined ? -1 : rest.indexOf(closing);
  return closing === undefined || end < 0 ? null : after + end + closing.length;
}

/** Longer ones are hardly formulas, and would be slow to write. */
const MAX_FORMULA = 1_000;
/** Of code within a text; code blocks are blocks of their own. */
const MAX_CODE = 4_000;

function formula(text: string, mark: string, after: number, end: number): string {
  const body = text.slice(after, end - (mark === "$" ? 1 : 2)).trim();
  const before = text.slice(text.lastIndexOf("\n", after - mark.length) + 1, after - mark.length);
  const behind = text.slice(end, end + 1);
  const isAlone = (before === "" || /^ {1,3}$/.test(before)) && (behind === "" || behind === "\n");
  const isBlock = isAlone && (mark === "\\[" || mark === "$$");
  return isBlock ? `\n$$\n${body}\n$$\n` : `$$${body.replaceAll("\n", " ")}$$`;
}
