/** Texts for stages, actions, sources, errors and secrets, and formats for numbers in the chat. */

import type { ApiError } from "@/api/apiError";
import type { Schemas } from "@/api/client";
import { isTurnOver, type Turn } from "@/stream/turn";

const STAGES: Record<string, string> = {
  waiting: "Waiting for your earlier message to be answered",
  reading: "Reading the conversation",
  understanding: "Working out what you need",
  routing: "Choosing who answers best",
  acting: "Getting it done",
  answering: "Writing the answer",
  storing: "Saving the answer",
  restarting: "Something changed meanwhile, thinking again",
};

/** What is being done for an unanswered turn. */
export function progressLabel(turn: Turn): string {
  if (turn.isStopping) return "Stopping";
  if (turn.phase === "resuming") return "Reconnecting to the answer";
  if (turn.stage) return STAGES[turn.stage] ?? "Working on it";
  if (turn.phase === "sending") return "Sending";
  return turn.request.kind === "regenerate" ? "Answering again" : "Working on it";
}

const ACTIONS: Record<string, string> = {
  create_agent: "Create an agent",
  create_skill: "Add a skill",
  execute_task: "Do a task",
  update_agent: "Change an agent",
  query_info: "Give information",
  manage_platform: "Manage the workspace",
  unknown: "Not sure",
};

const ACTS: Record<string, string> = {
  "agent.run": "Run an agent",
  "agent.pause": "Pause an agent",
  "agent.list": "List agents",
  "run.result": "Show the result of a run",
  "task.add": "Add a task",
  "task.complete": "Complete a task",
  "task.list": "List tasks",
};

/** The actions and acts that a correction may name, with their labels. */
export const CORRECTION_OPTIONS = Object.entries({ ...ACTIONS, ...ACTS }).filter(
  ([name]) => name !== "unknown",
);

const SURE_FROM = 0.7;

/** Whether a message is surely none of the actions: small talk and the like, with nothing to doubt. */
export const isConversation = (decision: {
  action_type: string;
  confidence: number;
  is_ambiguous: boolean;
}): boolean =>
  decision.action_type === "unknown" && decision.confidence >= SURE_FROM && !decision.is_ambiguous;

export const actionLabel = (action: string): string => ACTIONS[action] ?? sentenceCase(action);

/** Replaces action codes in a text with their labels. */
export function replaceActionCodes(text: string): string {
  return text.replace(/\b[a-z]+_[a-z]+\b/g, (code) => (ACTIONS[code] ? `“${ACTIONS[code]}”` : code));
}

const SOURCES: Record<string, string> = {
  explicit: "What you picked",
  model: "A language model",
  offline: "The built-in classifier, without a model",
};

export const sourceLabel = (source: string): string => SOURCES[source] ?? sentenceCase(source);

const FALLBACKS: Record<string, string> = {
  budget_reached: "today's model budget is used up",
  not_configured: "no model is set up",
  rate_limited: "the model is busy",
  deadline: "the model took too long",
  invalid_output: "the model's answer could not be used",
  acts_not_in_message: "the model's answer did not fit your message",
  breaker_open: "the model failed several times just now",
  loading: "the model was still being loaded",
  busy: "too many model calls were under way",
};

/** Why no model was used, as part of a sentence. */
export const fallbackLabel = (reason: string): string => FALLBACKS[reason] ?? "the model can't be reached";

export const BUDGET_REACHED = "budget_reached";

const ERROR_MESSAGES: Record<string, string> = {
  unreachable: "There is no connection to the service.",
  conversation_not_found: "This conversation no longer exists.",
  conversation_busy: "Too many of your messages are waiting for an answer. Please try again in a moment.",
  rate_limited: "Your workspace is sending messages too fast. Please try again in a moment.",
  too_many_turns: "Too many of your messages are being answered at once. Please wait for one of them.",
  daily_bytes_reached: "Your workspace has stored as much as it may today. It goes on after midnight (UTC).",
  idempotency_key_reused: "This message was sent before with other words.",
  message_too_large: "The message is too long.",
  field_too_long: "The message is too long.",
  message_replaced: "This message was changed somewhere else meanwhile.",
  too_many_versions: "This message has as many versions as there can be.",
  turn_not_found: "The answer could not be fetched any more.",
  tenant_inactive: "Your workspace is suspended.",
  user_being_erased: "Your data is being erased, so nothing new is stored.",
  storage_unavailable: "The service is overloaded at the moment.",
  internal: "Something went wrong on our side.",
};

/** The error as a message for the user. */
export function errorMessage(error: ApiError): string {
  return (
    ERROR_MESSAGES[error.code] ??
    error.detail ??
    (error.status >= 500 ? ERROR_MESSAGES.internal : null) ??
    error.title
  );
}

const SECRETS: Record<Schemas["SecretKind"], string> = {
  api_key: "API key",
  password: "password",
  private_key: "private key",
  card: "card number",
  iban: "bank account",
  national_id: "personal number",
  webhook: "webhook address",
};

/** The kinds of secrets in a message, as a list; empty if there are none. */
export const secretLabels = (contains: readonly Schemas["SecretKind"][]): string =>
  contains.map((kind) => SECRETS[kind] ?? sentenceCase(kind)).join(", ");

/** Why a turn ended without an answer; null if it did not. */
export function turnErrorMessage(turn: Turn): string | null {
  if (!isTurnOver(turn) || turn.phase === "answered") return null;
  if (turn.phase === "signed_out") return "Waiting for you to sign in again.";
  return turn.error ? errorMessage(turn.error) : null;
}

export function formatPercent(fraction: number): string {
  return `${Math.round(Math.min(1, Math.max(0, fraction)) * 100)}%`;
}

export function formatCost(usd: number): string {
  if (usd === 0) return "$0";
  return usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`;
}

export function formatDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function sentenceCase(code: string): string {
  const text = code.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
