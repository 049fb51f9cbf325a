import { expect, test } from "vitest";
import { isConversation } from "@/chat/labels";

const decision = { action_type: "unknown", confidence: 0.996, is_ambiguous: false };

test("a greeting that was surely understood is not called unsure", () => {
  expect(isConversation(decision)).toBe(true);
});

test("a message that nobody understood is", () => {
  expect(isConversation({ ...decision, confidence: 0.3 })).toBe(false);
  expect(isConversation({ ...decision, is_ambiguous: true })).toBe(false);
});

test("an action keeps its name and its figure", () => {
  expect(isConversation({ ...decision, action_type: "create_agent" })).toBe(false);
});
