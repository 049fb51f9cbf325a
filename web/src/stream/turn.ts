/** State of a turn (a message and its answer), and the reducer that applies events to it. Pure. */

import { ApiError } from "@/api/apiError";
import type { AttachedFile } from "@/attachments/upload";
import type { ChatReply, Decision, Frame, Stage, ToolCall } from "./frames";

/** An earlier message, sent along by the client where the service stores no history. */
export interface PriorMessage {
  role: "user" | "assistant";
  content: string;
}

/** A new message, an edited one, or another answer to one. */
export type TurnRequest =
  | {
      kind: "send";
      text: string;
      conversationId: string | null;
      before?: readonly PriorMessage[];
      state?: string;
      files?: readonly AttachedFile[];
    }
  | {
      kind: "edit";
      text: string;
      conversationId: string;
      messageId: string;
      files?: readonly AttachedFile[];
    }
  | { kind: "regenerate"; text: string; conversationId: string; messageId: string };

export interface Reply {
  id: string;
  content: string;
  createdAt: string;
  metadata: Record<string, unknown>;
}

type TurnPhase =
  /** Not sent: earlier messages of the thread come first, or another tab is about to send it. */
  | "waiting"
  /** Being sent, but not confirmed yet. */
  | "sending"
  /** Stored; its events are streamed. */
  | "running"
  /** Stored; the connection broke, and its progress is polled. */
  | "resuming"
  /** Stored; earlier messages are answered first. */
  | "queued"
  | "answered"
  /** Probably not stored. A retry with the same key is safe. */
  | "unsent"
  /** The session ended first. The turn continues after the next sign-in. */
  | "signed_out"
  /** Rejected or failed. A retry only helps with another message or at another time. */
  | "failed";

export interface Turn {
  /** The idempotency key, the same for every try. */
  key: string;
  request: TurnRequest;
  /** When the user sent it, as ISO 8601. */
  sentAt: string;
  phase: TurnPhase;
  /** It was sent at least once, so its request must not change any more. */
  isPosted: boolean;
  turnId: string | null;
  conversationId: string | null;
  /** The id of the last event received. */
  lastEventId: number;
  stage: Stage | null;
  decision: Decision | null;
  tools: readonly ToolCall[];
  /** The answer so far. */
  text: string;
  /** Events were missed. Further text would not fit, so the text waits for the stored reply. */
  hasGap: boolean;
  isStopping: boolean;
  reply: Reply | null;
  error: ApiError | null;
}

export type TurnEvent =
  | { type: "sending" }
  | { type: "frame"; frame: Frame }
  | { type: "cut" }
  | { type: "queued"; turnId: string; conversationId: string }
  | { type: "resumed" }
  | { type: "answered"; reply: Reply; turnId: string; conversationId: string }
  | { type: "stopping" }
  | { type: "stop_refused" }
  | { type: "unsent"; error: ApiError }
  | { type: "signed_out" }
  | { type: "failed"; error: ApiError };

export function newTurn(key: string, request: TurnRequest, sentAt: string): Turn {
  return {
    key,
    request,
    sentAt,
    phase: "sending",
    isPosted: false,
    turnId: null,
    conversationId: request.conversationId,
    lastEventId: 0,
    stage: null,
    decision: null,
    tools: [],
    text: "",
    hasGap: false,
    isStopping: false,
    reply: null,
    error: null,
  };
}

/** Whether the turn will not change any more by itself. */
export const isTurnOver = (turn: Turn): boolean =>
  turn.phase === "answered" ||
  turn.phase === "unsent" ||
  turn.phase === "failed" ||
  turn.phase === "signed_out";

/** Whether the turn is being sent or answered. */
export const isTurnActive = (turn: Turn): boolean => turn.phase !== "waiting" && !isTurnOver(turn);

/** Applies an event. An answer is final: later events change nothing. */
export function reduceTurn(turn: Turn, event: TurnEvent): Turn {
  if (turn.phase === "answered") return turn;
  switch (event.type) {
    case "sending":
      return { ...turn, phase: turn.turnId ? "resuming" : "sending", isPosted: true, error: null };
    case "frame":
      return applyFrame(turn, event.frame);
    case "cut":
      return { ...turn, phase: "resuming" };
    case "queued":
      return { ...turn, ...idsOf(event), phase: "queued", stage: "waiting" };
    case "resumed":
      return { ...turn, phase: "running" };
    case "answered":
      return withReply({ ...turn, ...idsOf(event) }, event.reply);
    case "stopping":
      return { ...turn, isStopping: true };
    case "stop_refused":
      return { ...turn, isStopping: false };
    case "unsent":
    case "failed":
      return { ...turn, phase: event.type, error: event.error, stage: null, isStopping: false };
    case "signed_out":
      return { ...turn, phase: "signed_out", stage: null };
  }
}

function applyFrame(turn: Turn, frame: Frame): Turn {
  // After a reconnect, events may arrive again.
  if (frame.id <= turn.lastEventId) return turn;
  const hasGap = turn.hasGap || frame.id > turn.lastEventId + 1;
  const next: Turn = { ...turn, lastEventId: frame.id, hasGap, phase: "running" };
  switch (frame.event) {
    case "turn":
      return { ...next, turnId: frame.data.turn_id, conversationId: frame.data.conversation_id };
    case "thinking":
      if (frame.data.stage !== "restarting") return { ...next, stage: frame.data.stage };
      // The answer starts again from the beginning, so nothing is missing any more.
      return { ...next, stage: "restarting", text: "", tools: [], hasGap: false };
    case "decision":
      return { ...next, decision: frame.data };
    case "tool":
      return { ...next, tools: [...turn.tools, frame.data] };
    case "chunk":
      return hasGap ? next : { ...next, text: turn.text + frame.data.text };
    case "accepted":
      return { ...next, ...idsOf(frame.data), phase: "queued", stage: "waiting" };
    case "done":
      return withReply({ ...next, ...idsOf(metadataOf(frame.data)) }, toReply(frame.data));
    case "error":
      return {
        ...next,
        phase: "failed",
        error: ApiError.fromResponse(frame.data, frame.data.status),
        stage: null,
      };
  }
}

function withReply(turn: Turn, reply: Reply): Turn {
  return {
    ...turn,
    phase: "answered",
    stage: null,
    text: reply.content,
    reply,
    error: null,
    isStopping: false,
  };
}

function idsOf(
  where: { turnId: string; conversationId: string } | { turn_id: string; conversation_id: string },
) {
  return "turnId" in where
    ? { turnId: where.turnId, conversationId: where.conversationId }
    : { turnId: where.turn_id, conversationId: where.conversation_id };
}

const metadataOf = (reply: ChatReply) => ({
  turn_id: reply.metadata.turn_id,
  conversation_id: reply.conversation_id,
});

export function toReply(answer: ChatReply): Reply {
  const { message, metadata } = answer;
  return {
    id: message.id,
    content: message.content,
    createdAt: message.created_at,
    metadata: { ...metadata },
  };
}
