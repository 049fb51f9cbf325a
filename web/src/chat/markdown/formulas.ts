/** What formulas need, loaded with the first of them: their Markdown, and KaTeX, which writes MathML. */

import katex from "katex";
import remarkMath from "remark-math";
import type { PluggableList } from "unified";

/** The formulas were marked by `markFormulas`: a single dollar is a price. */
export const plugins: PluggableList = [[remarkMath, { singleDollarTextMath: false }]];

/** Writes the formula into the element. One that is wrong is shown as it was written. */
export function renderFormula(tex: string, element: HTMLElement, isBlock: boolean): void {
  katex.render(tex, element, {
    // Browsers show MathML by themselves, so no fonts and no styles are loaded.
    output: "mathml",
    displayMode: isBlock,
    throwOnError: false,
    errorColor: "inherit",
    strict: "ignore",
    trust: false,
    maxSize: 20,
    maxExpand: 100,
  });
}
