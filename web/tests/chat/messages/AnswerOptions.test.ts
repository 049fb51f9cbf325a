import { expect, test } from "vitest";
import { stripOptions, wordsOf } from "@/chat/messages/AnswerOptions";

const OPTIONS = ["Create an agent: I'd ask", "Do it another way"];
const LIST = "1. Create an agent: I'd ask\n2. Do it another way";

test("the list that the buttons show is taken out of the text, with the words that ask for a number", () => {
  expect(stripOptions(`Choose:\n\n${LIST}\n\nJust tell me the number.`, OPTIONS)).toBe("Choose:");
});

test.each([
  ["no options", `Choose:\n\n${LIST}`, []],
  ["another list", "Choose:\n\n1. One\n2. Two", OPTIONS],
  ["more to say afterwards", `Choose:\n\n${LIST}\n\n${"And this matters. ".repeat(9)}`, OPTIONS],
  ["nothing before the list", LIST, OPTIONS],
])("a text with %s stays as it is", (_, text, options) => {
  expect(stripOptions(text, options)).toBe(text);
});

test("an option is picked by its words, as far as they fit no other", () => {
  const options = ["Run it: now", "Run it: later", "Delete", "Delete", "Keep: as it is"];
  expect(options.map((_, index) => wordsOf(options, index))).toEqual([
    "Run it: now",
    "Run it: later",
    "3",
    "4",
    "Keep",
  ]);
});
