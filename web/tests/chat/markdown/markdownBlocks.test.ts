import { expect, test } from "vitest";
import { splitBlocks } from "@/chat/markdown/markdownBlocks";

const apart = (text: string) => splitBlocks(text).map((block) => block.trim());

test("paragraphs are blocks of their own, and joined they are the text", () => {
  const text = "One\ntwo\n\n# Three\n\nFour\n";
  expect(apart(text)).toEqual(["One\ntwo", "# Three", "Four"]);
  expect(splitBlocks(text).join("")).toBe(text);
});

test.each([
  ["a list with loose items", "1. one\n\n2. two\n\n   more of two"],
  ["code with blank lines", "```py\na\n\nb\n```"],
  ["code that is still being written", "```py\na\n\nb"],
  ["a formula with blank lines", "$$\na\n\nb\n$$"],
  ["a longer fence around a shorter one", "````md\n```\n\nx\n```\n\n````"],
  ["a quote that goes on", "> one\n\n> two"],
  ["links whose addresses come at the end", "See [it][1].\n\nMore.\n\n[1]: https://example.com"],
  ["nothing", ""],
])("%s stays together", (_, text) => {
  expect(splitBlocks(text)).toEqual([text]);
});
