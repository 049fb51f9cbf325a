import { expect, test } from "vitest";
import { measureMessage } from "@/chat/composer/messageLength";

test.each([
  ["8,000 characters", "x".repeat(8_000)],
  ["8,000 signs of two code units each", "👋".repeat(8_000)],
])("a message of %s can be sent", (_, text) => {
  expect(measureMessage(text).problem).toBeNull();
});

test.each([
  ["one character too many", "x".repeat(8_001), "1 character too long"],
  ["megabytes", "x".repeat(5_000_000), "4,992,000 characters too long"],
])("a message of %s says by how much", (_, text, problem) => {
  expect(measureMessage(text).problem).toBe(problem);
});

test("the counter appears before the limit does", () => {
  expect([
    measureMessage("x".repeat(6_999)).isNearLimit,
    measureMessage("x".repeat(7_000)).isNearLimit,
  ]).toEqual([false, true]);
});
