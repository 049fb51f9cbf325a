import { expect, test } from "vitest";
import { type Frame, parseFrame } from "@/stream/frames";
import { isTurnOver, newTurn, reduceTurn, type Turn } from "@/stream/turn";

const start = newTurn("key", { kind: "send", text: "hi", conversationId: null }, "2026-01-01T00:00:00Z");

const chunk = (id: number, text: string): Frame => ({ id, event: "chunk", data: { text } });
const turn: Frame = { id: 1, event: "turn", data: { turn_id: "c.t", conversation_id: "c", created: true } };
const restarting: Frame = { id: 3, event: "thinking", data: { stage: "restarting" } };

const after = (...frames: Frame[]): Turn =>
  frames.reduce((turn, frame) => reduceTurn(turn, { type: "frame", frame }), start);

const done = (id: number, content: string): Frame => ({
  id,
  event: "done",
  data: {
    conversation_id: "c",
    message: { id: "m", role: "assistant", content, created_at: "2026-01-01T00:00:01Z" },
    metadata: { turn_id: "c.t", persisted: true, tool_calls: [], trace_id: "" },
  } as unknown as Extract<Frame, { event: "done" }>["data"],
});

test("chunks add up in their order", () => {
  expect(after(turn, chunk(2, "Hel"), chunk(3, "lo")).text).toBe("Hello");
});

test("a frame that is told twice counts once", () => {
  expect(after(turn, chunk(2, "Hel"), chunk(2, "Hel"), turn, chunk(3, "lo")).text).toBe("Hello");
});

test("after a missing frame the text stays as it was until the answer replaces it", () => {
  const gapped = after(turn, chunk(2, "Hel"), chunk(4, "world"));
  expect(gapped.text).toBe("Hel");
  expect(reduceTurn(gapped, { type: "frame", frame: done(6, "Hello world") }).text).toBe("Hello world");
});

test("a restart voids what was said, and what was missing of it", () => {
  expect(after(turn, chunk(2, "old"), restarting, chunk(4, "new")).text).toBe("new");
  expect(after(turn, { ...restarting, id: 5 }, chunk(6, "new")).text).toBe("new");
});

test("an answer is final, whatever comes late", () => {
  const answered = after(turn, chunk(2, "Hi"), done(3, "Hi"));
  expect(reduceTurn(answered, { type: "frame", frame: chunk(4, "!") })).toBe(answered);
  expect(reduceTurn(answered, { type: "cut" })).toBe(answered);
  expect(answered.phase).toBe("answered");
});

test("a turn that waits behind others is queued, not over", () => {
  const queued = after(turn, {
    id: 2,
    event: "accepted",
    data: { turn_id: "c.t", conversation_id: "c" },
  });
  expect([queued.phase, isTurnOver(queued)]).toEqual(["queued", false]);
});

test("an error frame says which refusal it was", () => {
  const body = {
    type: "about:blank",
    title: "No",
    status: 503,
    code: "storage_unavailable",
    request_id: "r",
    detail: null,
  };
  const failed = after(turn, { id: 2, event: "error", data: body });
  expect([failed.phase, failed.error?.code, failed.error?.requestId]).toEqual([
    "failed",
    "storage_unavailable",
    "r",
  ]);
});

test.each([
  ["no JSON", { id: "1", event: "chunk", data: "{" }],
  ["another shape", { id: "1", event: "chunk", data: '{"txt":"x"}' }],
  ["no object", { id: "1", event: "chunk", data: '"x"' }],
  ["no id", { event: "chunk", data: '{"text":"x"}' }],
  ["an id that is no number", { id: "1e3", event: "chunk", data: '{"text":"x"}' }],
  ["an unknown name", { id: "1", event: "party", data: '{"text":"x"}' }],
])("a frame with %s is none", (_, event) => {
  expect(parseFrame(event)).toBeNull();
});
