import { expect, test } from "vitest";
import type { MessageView } from "@/cache/messageCache";
import { secretLabels } from "@/chat/labels";
import { buildThreadItems } from "@/chat/thread/threadItems";
import { newTurn, reduceTurn, type Turn, type TurnRequest } from "@/stream/turn";

const message = (sequence: number, role: "user" | "assistant", turn: string, more = {}): MessageView => ({
  id: `${sequence}`,
  sequence,
  role,
  content: `${role} of ${turn}`,
  created_at: "2026-01-01T00:00:00Z",
  turn_id: turn,
  metadata: {},
  attachments: [],
  tool_messages: [],
  deleted: false,
  edited: false,
  late: false,
  contains: [],
  ...more,
});

const HISTORY = [
  message(1, "user", "a"),
  message(2, "assistant", "a"),
  message(3, "user", "b"),
  message(4, "assistant", "b"),
];

function turn(request: TurnRequest, turnId: string | null = null): Turn {
  return { ...newTurn("key", request, "2026-01-01T00:00:09Z"), turnId };
}

const texts = (turns: readonly Turn[], keyOf = new Map<string, string>()) =>
  buildThreadItems(HISTORY, turns, keyOf).map((item) => item.text);

const send = (text: string): TurnRequest => ({ kind: "send", text, conversationId: "c" });

test("a message is shown before anybody has confirmed it", () => {
  expect(texts([turn(send("new"))]).slice(4)).toEqual(["new", ""]);
});

test("a turn that the history holds is shown once", () => {
  expect(texts([turn(send("user of b"), "b")])).toHaveLength(4);
});

test("a message keeps its place in the list when it becomes part of the history", () => {
  const sent = turn(send("user of b"), "b");
  const before = buildThreadItems(HISTORY.slice(0, 2), [sent], new Map()).map((item) => item.id);
  const after = buildThreadItems(HISTORY, [], new Map([["b", "key"]])).map((item) => item.id);
  expect(after).toEqual(before);
});

test("an edited message takes the place of the old one and of all that followed", () => {
  const edit: TurnRequest = { kind: "edit", text: "other words", conversationId: "c", messageId: "3" };
  expect(texts([turn(edit)])).toEqual(["user of a", "assistant of a", "other words", ""]);
});

test("an answer that is made anew leaves its question where it is", () => {
  const again: TurnRequest = { kind: "regenerate", text: "", conversationId: "c", messageId: "2" };
  expect(texts([turn(again)])).toEqual(["user of a", ""]);
});

test("an answer to an edited message has versions, too", () => {
  const edited = [message(1, "user", "a", { edited: true }), message(2, "assistant", "a")];
  expect(buildThreadItems(edited, [], new Map()).map((item) => item.edited)).toEqual([true, true]);
});

test("messages that did not change stay the same objects, so that nothing is drawn again", () => {
  const answering = reduceTurn(turn(send("new"), "t"), {
    type: "frame",
    frame: { id: 1, event: "chunk", data: { text: "x" } },
  });
  const before = buildThreadItems(HISTORY, [turn(send("new"), "t")], new Map());
  const after = buildThreadItems(HISTORY, [answering], new Map());
  expect(after.slice(0, 4).every((item, index) => item === before[index])).toBe(true);
});

test("a message says which secrets were recognised in it", () => {
  const stored = [message(1, "user", "a", { contains: ["api_key"] }), message(2, "assistant", "a")];
  expect(buildThreadItems(stored, [], new Map()).map((item) => secretLabels(item.contains))).toEqual([
    "API key",
    "",
  ]);
});
