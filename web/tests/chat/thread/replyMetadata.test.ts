import { expect, test } from "vitest";
import { parseReplyMetadata } from "@/chat/thread/replyMetadata";

test("stored metadata that leaves out what goes without saying is read as if it said so", () => {
  const read = parseReplyMetadata({
    decision: { action_type: "create_agent", confidence: 0.9, source: "offline" },
    usage: { cost_usd: null },
    tool_calls: [],
  });
  expect([read.decision?.reasoning, read.decision?.is_ambiguous, read.persisted, read.partial]).toEqual([
    "",
    false,
    true,
    false,
  ]);
  expect(read.usage).toEqual({ modelCalls: 0, promptTokens: 0, completionTokens: 0, costUsd: null });
});

test("tools are read as they are told today, and as they were told once", () => {
  const { toolCalls } = parseReplyMetadata({
    tool_calls: ["list_agents", { name: "web_search", ok: false }, 7, null],
  });
  expect(toolCalls.map((call) => [call.name, call.ok])).toEqual([
    ["list_agents", true],
    ["web_search", false],
  ]);
});

test.each([[{}], [{ decision: "x", routing: [], usage: 3, options: "1. a", tool_calls: {} }]])(
  "metadata of any shape is read: %j",
  (raw) => {
    const read = parseReplyMetadata(raw);
    expect([read.decision, read.routing, read.usage, read.options, read.toolCalls]).toEqual([
      null,
      null,
      null,
      [],
      [],
    ]);
  },
);
