import { expect, test } from "vitest";
import type { ConversationView } from "@/cache/conversationListCache";
import { formatTime } from "@/search/formatTime";
import { findWords, splitAtMatches } from "@/search/highlight";
import { queryWords, toPrefixQuery } from "@/search/query";
import { matchTitles } from "@/search/useSearch";

const marked = (text: string, spans: { start: number; end: number }[]) =>
  splitAtMatches(text, spans)
    .map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
    .join("");

test("what was searched for is marked, and the rest is as it was", () => {
  expect(marked("we decided it", [{ start: 3, end: 10 }])).toBe("we [decided] it");
  expect(marked("nothing", [])).toBe("nothing");
});

test("places count characters as the service does, emoji as one", () => {
  expect(marked("😀😀 budget 😀", [{ start: 3, end: 9 }])).toBe("😀😀 [budget] 😀");
});

test("places that overlap, lie outside or are out of order break nothing", () => {
  const spans = [
    { start: 4, end: 99 },
    { start: 0, end: 3 },
    { start: 2, end: 6 },
    { start: 50, end: 60 },
    { start: 3, end: 1 },
  ];
  const text = "abcdefgh";
  expect(
    splitAtMatches(text, spans)
      .map((piece) => piece.text)
      .join(""),
  ).toBe(text);
  expect(marked(text, spans)).toBe("[abc][def][gh]");
});

test("markup in what was found stays text", () => {
  expect(marked("<b>x</b>", [{ start: 3, end: 4 }])).toBe("<b>[x]</b>");
});

test("words are found in titles whatever their case and accents", () => {
  expect(findWords("Übersicht der Rechnungen", ["ubersicht", "RECHN"])).toEqual([
    { start: 0, end: 9 },
    { start: 14, end: 19 },
  ]);
  expect(findWords("Übersicht", ["budget"])).toBeNull();
  expect(findWords("ﬁnance", ["fin"])).toEqual([{ start: 0, end: 2 }]);
});

test("quotes and stars of a search are no part of its words", () => {
  expect(queryWords('"jira agent" dec*')).toEqual(["jira", "agent", "dec"]);
  expect(queryWords(' "" * ')).toEqual([]);
});

test("the last word of a search may be begun only", () => {
  expect(toPrefixQuery("jira bud")).toBe("jira bud*");
  expect(toPrefixQuery("Büro")).toBe("Büro*");
  for (const search of ["bud*", '"jira bud', '"jira bud"', "bud ", "b", "bud?"]) {
    expect(toPrefixQuery(search)).toBeNull();
  }
});

test("titles are found that hold all words, the newest five of them", () => {
  const known = Array.from({ length: 9 }, (_, index) => ({ id: `${index}`, title: `Budget ${index}` }));
  const conversations = known as unknown as ConversationView[];
  expect(matchTitles(conversations, "budget").map((hit) => hit.conversation.id)).toEqual([
    "0",
    "1",
    "2",
    "3",
    "4",
  ]);
  expect(matchTitles(conversations, "7 bud").map((hit) => hit.conversation.id)).toEqual(["7"]);
  expect(matchTitles(conversations, '""')).toEqual([]);
});

test("the time is told of today, the day of other days, the year of other years", () => {
  const now = new Date(2026, 2, 17, 12);
  expect(formatTime(new Date(2026, 2, 17, 9, 5).toISOString(), now)).toMatch(/^9:05\sAM$/);
  expect(formatTime(new Date(2026, 1, 3).toISOString(), now)).toBe("Feb 3");
  expect(formatTime(new Date(2025, 1, 3).toISOString(), now)).toBe("Feb 3, 2025");
});
