import { expect, test } from "vitest";
import { isConversation, understoodLabel } from "@/chat/labels";
import type { Decision } from "@/stream/frames";

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

const understood = (...acts: { kind: string; slots?: Record<string, string> }[]) =>
  understoodLabel({
    ...decision,
    acts: acts.map((act) => ({ text: "", things: [], slots: {}, ...act })),
  } as unknown as Decision);

test("a change of one part of an agent is named by that part", () => {
  expect(understood({ kind: "agent.change", slots: { where: "#ops" } })).toBe(
    "Set where an agent's results go",
  );
  expect(understood({ kind: "agent.change", slots: { when: "at 5", where: "#ops" } })).toBe(
    "Change an agent",
  );
});

test("the same is said once", () => {
  expect(understood({ kind: "task.add" }, { kind: "agent.list" }, { kind: "task.add" })).toBe(
    "Add a task, then list agents",
  );
});
