/** Frames of a turn's event stream. A frame of an unexpected shape is rejected as a whole. */

import type { EventSourceMessage } from "eventsource-parser";
import { isProblem, type ProblemBody } from "@/api/apiError";
import type { Schemas } from "@/api/client";
import { isRecord } from "@/json";

/** What the service is doing for a turn. */
export type Stage = Schemas["ThinkingView"]["stage"];
export type Decision = Schemas["DecisionView"];
export type ToolCall = Schemas["ToolCallView"];
export type ChatReply = Schemas["ChatReply"] & { replayed?: boolean };
type Accepted = Schemas["AcceptedView"];

/** One event of the stream. Ids count from 1 within the turn. */
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

/** Whether the frame ends the stream. */
export const isFinalFrame = (frame: Frame): boolean =>
  frame.event === "done" || frame.event === "accepted" || frame.event === "error";

/** Parses a server-sent event; null for unknown events and malformed data. */
export function parseFrame(event: EventSourceMessage): Frame | null {
  const id = /^\d{1,9}$/.test(event.id ?? "") ? Number(event.id) : 0;
  try {
    return validFrame(id, event.event ?? "", JSON.parse(event.data));
  } catch {
    return null;
  }
}

/** Parses an event as `GET /v1/turns/{id}?after=` lists it. */
export function parseStoredFrame(value: unknown): Frame | null {
  if (!isRecord(value) || typeof value.id !== "number" || typeof value.event !== "string") return null;
  return validFrame(value.id, value.event, value.data);
}

function validFrame(id: number, event: string, data: unknown): Frame | null {
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

export function isReply(value: unknown): value is ChatReply {
  if (!isRecord(value) || !isRecord(value.message) || !isRecord(value.metadata)) return false;
  return typeof value.conversation_id === "string" && typeof value.message.content === "string";
}

export function isAccepted(value: unknown): value is Accepted {
  return isRecord(value) && typeof value.turn_id === "string" && typeof value.conversation_id === "string";
}
