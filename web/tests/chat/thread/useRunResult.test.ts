import { expect, test } from "vitest";
import type { MessageView } from "@/cache/messageCache";
import { buildThreadItems } from "@/chat/thread/threadItems";
import { findPendingRun } from "@/chat/thread/useRunResult";

const said = (sequence: number, role: "user" | "assistant", turn: string, tool?: string): MessageView => ({
  id: `${sequence}`,
  sequence,
  role,
  content: "words",
  created_at: "2026-01-01T00:00:00Z",
  turn_id: turn,
  metadata: tool ? { tool_calls: [{ name: tool, ok: true }] } : {},
  attachments: [],
  tool_messages: [],
  deleted: false,
  edited: false,
  late: false,
  contains: [],
});

const awaited = (...messages: MessageView[]) =>
  findPendingRun(buildThreadItems(messages, [], new Map()))?.messageId ?? null;

const STARTED = [said(1, "user", "a"), said(2, "assistant", "a", "run_agent")];
const TALK = [said(3, "user", "b"), said(4, "assistant", "b")];
const RESULT = said(5, "assistant", "run");

test("a run's result is awaited until it is there, whatever is said meanwhile", () => {
  expect(awaited(...STARTED)).toBe("2");
  expect(awaited(...STARTED, ...TALK)).toBe("2");
  expect(awaited(...STARTED, RESULT)).toBeNull();
  expect(awaited(...STARTED, ...TALK, RESULT)).toBeNull();
});

test("nothing is awaited where no run was started, or it was cancelled", () => {
  expect(awaited(...TALK)).toBeNull();
  expect(awaited()).toBeNull();
  expect(awaited(...STARTED, said(3, "user", "b"), said(4, "assistant", "b", "cancel_run"))).toBeNull();
});

test("of two runs the later one counts", () => {
  expect(awaited(...STARTED, RESULT, said(6, "user", "c"), said(7, "assistant", "c", "run_agent"))).toBe("7");
});
