/** What the stream of a turn says, event by event. A frame that is not as agreed is null, never half believed. */

import { isProblem, type ProblemBody } from "@/api/apiError";
import type { Schemas } from "@/api/client";
import type { ServerEvent } from "./sse";

export type Stage =
  | "waiting"
  | "reading"
  | "understanding"
  | "routing"
  | "acting"
  | "answering"
  | "storing"
  | "restarting";

export type Decision = Schemas["DecisionView"];
export type ToolCall = Schemas["ToolCallView"];
export type ChatReply = Schemas["ChatReply"] & { replayed?: boolean };
export type Accepted = Schemas["AcceptedView"];

/** One thing the stream says. `id` counts from 1 within the turn. */
export type Frame = { id: number } & (
  | { event: "turn"; data: { turn_id: string; conversation_id: string; created: boolean } }
  | { event: "thinking"; data: { stage: Stage } }
  | { event: "decision"; data: Decision }
  | { event: "tool"; data: ToolCall }
  | { event: "chunk"; data: { text: string } }
  | { event: "done"; data: ChatReply }
  | { event: "accepted"; data: Accepted }
  | { event: "error"; data: ProblemBody }
);

/** Whether nothing follows the frame. */
export const isFinalFrame = (validFrame: Frame): boolean =>
  validFrame.event === "done" || validFrame.event === "accepted" || validFrame.event === "error";

/** The frame an event is; null: it can't be read. Events of other names are null, too. */
export function parseFrame(event: ServerEvent): Frame | null {
  const id = /^\d{1,9}$/.test(event.id ?? "") ? Number(event.id) : 0;
  try {
    return frame(id, event.event, JSON.parse(event.data));
  } catch {
    return null;
  }
}

/** The frame of a kept event, as `GET /v1/turns/{id}?after=` lists it. */
export function parseStoredFrame(kept: unknown): Frame | null {
  if (!isRecord(kept) || typeof kept.id !== "number" || typeof kept.event !== "string") return null;
  return frame(kept.id, kept.event, kept.data);
}

function frame(id: number, event: string, data: unknown): Frame | null {
  if (id < 1 || !isRecord(data)) return null;
  return hasShape(event, data) ? ({ id, event, data } as unknown as Frame) : null;
}

function hasShape(event: string, data: Record<string, unknown>): boolean {
  switch (event) {
    case "turn":
    case "accepted":
      return typeof data.turn_id === "string" && typeof data.conversation_id === "string";
    case "thinking":
      return typeof data.stage === "string";
    case "decision":
      return typeof data.action_type === "string" && typeof data.confidence === "number";
    case "tool":
      return typeof data.name === "string";
    case "chunk":
      return typeof data.text === "string";
    case "done":
      return isReply(data);
    case "error":
      return isProblem(data);
    default:
      return false;
  }
}

/** Whether a value is the answer to a message. */
export function isReply(value: unknown): value is ChatReply {
  if (!isRecord(value) || !isRecord(value.message) || !isRecord(value.metadata)) return false;
  return typeof value.conversation_id === "string" && typeof value.message.content === "string";
}

/** Whether a value is the promise of an answer. */
export function isAccepted(value: unknown): value is Accepted {
  return isRecord(value) && typeof value.turn_id === "string" && typeof value.conversation_id === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
