import { describe, expect, it } from "vitest";
import { markFormulas, mayHaveFormulas } from "@/chat/markdown/mathText";

describe("markFormulas", () => {
  it.each([
    ["of \\(a + b\\) it is", "of $$a + b$$ it is"],
    ["the area $\\pi r^2$ of", "the area $$\\pi r^2$$ of"],
    ["It is $x$.", "It is $$x$$."],
    ["so $$a$$ there", "so $$a$$ there"],
    ["- item \\[ a \\] more", "- item $$a$$ more"],
    ["\\[\n  a = b\n\\]", "\n$$\na = b\n$$\n"],
    ["$$E = mc^2$$", "\n$$\nE = mc^2\n$$\n"],
  ])("marks %j", (text, marked) => {
    expect(markFormulas(text)).toBe(marked);
  });

  it.each([
    "It costs $5 and $6.",
    "Between $20,000 and $30,000",
    "from 5$ to 6$ each",
    "`$a$` and ``\\(b\\)`` are code",
    "```tex\n$a$\n```",
    "Run:\n```sh\necho $HOME $PATH\n```",
    "an \\(open one",
    "an escaped \\$a\\$ dollar",
  ])("leaves %j alone", (text) => {
    expect(markFormulas(text)).toBe(text);
  });

  it("answers for marks that open nothing, however many", () => {
    for (const piece of ["$a ", "\\(a ", "\\[a ", "``a ", "$$ a ", "$a\n"]) {
      const text = piece.repeat(5_000);
      expect(markFormulas(text).length).toBeGreaterThan(0);
    }
  });

  it("is not asked for plain texts", () => {
    expect(mayHaveFormulas("Anna (the baker) [sic] is here")).toBe(false);
  });
});
