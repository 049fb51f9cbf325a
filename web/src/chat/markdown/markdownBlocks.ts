/** Splits Markdown into blocks that mean the same apart, so that an answer that grows is parsed only at its end. Pure. */

const FENCE = /^ {0,3}(```+|~~~+|\$\$)/;
/** A link's address or a footnote, which other blocks refer to. */
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:/m;
/** A line that may continue a list, a quote or an item above the blank line. */
const CONTINUES = /^(?:\s|[-*+>]|\d{1,9}[.)])/;

/** The blocks; joined, they are the text. */
export function splitBlocks(text: string): string[] {
  if (DEFINITION.test(text)) return [text];
  const blocks: string[] = [];
  let block = "";
  let fence: string | null = null;
  let isAfterBlank = false;
  for (const line of text.split(/(?<=\n)/)) {
    if (isAfterBlank && fence === null && !CONTINUES.test(line)) {
      blocks.push(block);
      block = "";
    }
    fence = fenceAfter(fence, line);
    isAfterBlank = fence === null && line.trim() === "";
    block += line;
  }
  return [...blocks, block];
}

/** The fence that is open after the line, or null. */
function fenceAfter(open: string | null, line: string): string | null {
  const mark = FENCE.exec(line)?.[1];
  if (open === null) return mark ?? null;
  const closes = mark !== undefined && mark[0] === open[0] && mark.length >= open.length;
  return closes && line.trim() === mark ? null : open;
}
