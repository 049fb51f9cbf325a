/** Metadata of an answer: decision, routing, tool calls, usage. Stored metadata leaves out default values. */

import { asList, asNumber, asRecord, asText } from "@/json";
import type { Decision, ToolCall } from "@/stream/frames";
import type { Turn } from "@/stream/turn";

export interface Usage {
  modelCalls: number;
  promptTokens: number;
  completionTokens: number;
  costUsd: number | null;
}

export interface Routing {
  model: string;
  tools: readonly string[];
  by: string;
  reason: string;
  fallbackReason: string | null;
}

export interface ReplyMetadata {
  decision: Decision | null;
  routing: Routing | null;
  toolCalls: readonly ToolCall[];
  usage: Usage | null;
  processingMs: number | null;
  /** False if the answer is not stored in the history. */
  persisted: boolean;
  /** The storage was unavailable, and the answer will be stored later. */
  storedLater: boolean;
  /** The user stopped the answer before its end. */
  partial: boolean;
  /** The numbered options the answer offers. Picking one sends its number. */
  options: readonly string[];
  /** The answer proposes something that needs a yes. */
  asksYesOrNo: boolean;
}

const EMPTY_METADATA: ReplyMetadata = {
  decision: null,
  routing: null,
  toolCalls: [],
  usage: null,
  processingMs: null,
  persisted: true,
  storedLater: false,
  partial: false,
  options: [],
  asksYesOrNo: false,
};

/** Parses the metadata of a streamed or stored reply. Missing and malformed values get their defaults. */
export function parseReplyMetadata(raw: Record<string, unknown>): ReplyMetadata {
  return {
    decision: parseDecision(raw.decision),
    routing: parseRouting(raw.routing),
    toolCalls: asList(raw.tool_calls).flatMap(parseToolCall),
    usage: parseUsage(raw.usage),
    processingMs: asNumber(raw.processing_time_ms),
    persisted: raw.persisted !== false,
    storedLater: raw.stored_later === true,
    partial: raw.partial === true,
    options: asList(raw.options).filter((option): option is string => typeof option === "string"),
    asksYesOrNo: raw.asks_yes_or_no === true,
  };
}

/** The metadata of a turn, as far as it is known. */
export function turnMetadata(turn: Turn): ReplyMetadata {
  if (turn.reply) return parseReplyMetadata(turn.reply.metadata);
  return { ...EMPTY_METADATA, decision: turn.decision, toolCalls: turn.tools };
}

function parseDecision(value: unknown): Decision | null {
  const raw = asRecord(value);
  if (!raw || typeof raw.action_type !== "string") return null;
  return {
    action_type: raw.action_type,
    confidence: asNumber(raw.confidence) ?? 0,
    entities: (asRecord(raw.entities) ?? {}) as NonNullable<Decision["entities"]>,
    reasoning: asText(raw.reasoning),
    is_ambiguous: raw.is_ambiguous === true,
    alternative_action: asText(raw.alternative_action) || null,
    clarifying_question: asText(raw.clarifying_question) || null,
    acts: asList(raw.acts) as NonNullable<Decision["acts"]>,
    source: asText(raw.source),
    model: asText(raw.model) || null,
    latency_ms: asNumber(raw.latency_ms) ?? 0,
    cost_usd: asNumber(raw.cost_usd),
    fallback_reason: asText(raw.fallback_reason) || null,
    offline_because_cold: raw.offline_because_cold === true,
    passed_over: asList(raw.passed_over) as Decision["passed_over"],
  };
}

function parseRouting(value: unknown): Routing | null {
  const raw = asRecord(value);
  if (!raw || typeof raw.model !== "string") return null;
  return {
    model: raw.model,
    tools: asList(raw.tools).filter((tool): tool is string => typeof tool === "string"),
    by: asText(raw.by),
    reason: asText(raw.reason),
    fallbackReason: asText(raw.fallback_reason) || null,
  };
}

/** Old replies contain only the names of their tools. */
function parseToolCall(value: unknown): ToolCall[] {
  if (typeof value === "string") return [{ name: value, ok: true, arguments: "" }];
  const raw = asRecord(value);
  if (!raw || typeof raw.name !== "string") return [];
  const { name } = raw;
  return [
    {
      name,
      ok: raw.ok !== false,
      arguments: asText(raw.arguments),
      error_code: asText(raw.error_code) || null,
      elapsed_ms: asNumber(raw.elapsed_ms),
    },
  ];
}

function parseUsage(value: unknown): Usage | null {
  const raw = asRecord(value);
  if (!raw) return null;
  return {
    modelCalls: asNumber(raw.model_calls) ?? 0,
    promptTokens: asNumber(raw.prompt_tokens) ?? 0,
    completionTokens: asNumber(raw.completion_tokens) ?? 0,
    costUsd: asNumber(raw.cost_usd),
  };
}
