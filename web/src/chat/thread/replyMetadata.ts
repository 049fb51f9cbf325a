/** How an answer came about, as it is shown. What is stored leaves out what goes without saying. */

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
  /** False: no history holds the answer. */
  persisted: boolean;
  /** It waits to be saved: the storage was out of reach. */
  storedLater: boolean;
  /** The user stopped it; what was said until then is all there is. */
  partial: boolean;
  /** Numbered options the answer offers; picking one is sending its number. */
  options: readonly string[];
  /** What it proposes is done after a yes. */
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

/** The metadata of a reply, from the stream or from the stored message; what is missing or odd counts as unsaid. */
export function parseReplyMetadata(raw: Record<string, unknown>): ReplyMetadata {
  return {
    decision: parseDecision(raw.decision),
    routing: parseRouting(raw.routing),
    toolCalls: list(raw.tool_calls).flatMap(parseToolCall),
    usage: parseUsage(raw.usage),
    processingMs: number(raw.processing_time_ms),
    persisted: raw.persisted !== false,
    storedLater: raw.stored_later === true,
    partial: raw.partial === true,
    options: list(raw.options).filter((option): option is string => typeof option === "string"),
    asksYesOrNo: raw.asks_yes_or_no === true,
  };
}

/** What is known of an answer while it is being made. */
export function turnMetadata(turn: Turn): ReplyMetadata {
  if (turn.reply) return parseReplyMetadata(turn.reply.metadata);
  return { ...EMPTY_METADATA, decision: turn.decision, toolCalls: turn.tools };
}

function parseDecision(value: unknown): Decision | null {
  const raw = record(value);
  if (!raw || typeof raw.action_type !== "string") return null;
  return {
    action_type: raw.action_type,
    confidence: number(raw.confidence) ?? 0,
    entities: (record(raw.entities) ?? {}) as NonNullable<Decision["entities"]>,
    reasoning: text(raw.reasoning),
    is_ambiguous: raw.is_ambiguous === true,
    alternative_action: text(raw.alternative_action) || null,
    clarifying_question: text(raw.clarifying_question) || null,
    source: text(raw.source),
    model: text(raw.model) || null,
    latency_ms: number(raw.latency_ms) ?? 0,
    cost_usd: number(raw.cost_usd),
    fallback_reason: text(raw.fallback_reason) || null,
  };
}

function parseRouting(value: unknown): Routing | null {
  const raw = record(value);
  if (!raw || typeof raw.model !== "string") return null;
  return {
    model: raw.model,
    tools: list(raw.tools).filter((tool): tool is string => typeof tool === "string"),
    by: text(raw.by),
    reason: text(raw.reason),
    fallbackReason: text(raw.fallback_reason) || null,
  };
}

/** Replies of long ago name their tools only. */
function parseToolCall(value: unknown): ToolCall[] {
  if (typeof value === "string") return [{ name: value, ok: true, arguments: "" }];
  const raw = record(value);
  if (!raw || typeof raw.name !== "string") return [];
  const { name } = raw;
  return [
    {
      name,
      ok: raw.ok !== false,
      arguments: text(raw.arguments),
      error_code: text(raw.error_code) || null,
      elapsed_ms: number(raw.elapsed_ms),
    },
  ];
}

function parseUsage(value: unknown): Usage | null {
  const raw = record(value);
  if (!raw) return null;
  return {
    modelCalls: number(raw.model_calls) ?? 0,
    promptTokens: number(raw.prompt_tokens) ?? 0,
    completionTokens: number(raw.completion_tokens) ?? 0,
    costUsd: number(raw.cost_usd),
  };
}

const record = (value: unknown): Record<string, unknown> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;
