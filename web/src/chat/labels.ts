/** What the page says of stages, actions, sources and refusals. Every word a user reads about them is here. */

import type { ApiError } from "@/api/apiError";
import type { Schemas } from "@/api/client";
import { isOver, type Turn } from "@/stream/turn";

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

/** What is being done for a turn that is under way. */
export function doing(turn: Turn): string {
  if (turn.stopping) return "Stopping";
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

/** The actions a correction may name, with their names. */
export const CORRECTIONS = Object.entries(ACTIONS).filter(([action]) => action !== "unknown");

export const actionName = (action: string): string => ACTIONS[action] ?? sentence(action);

/** A reasoning in which actions are named as people name them. */
export function inWords(reasoning: string): string {
  return reasoning.replace(/\b[a-z]+_[a-z]+\b/g, (code) => (ACTIONS[code] ? `“${ACTIONS[code]}”` : code));
}

const SOURCES: Record<string, string> = {
  explicit: "What you picked",
  model: "A language model",
  offline: "The built-in classifier, without a model",
};

export const sourceName = (source: string): string => SOURCES[source] ?? sentence(source);

const FALLBACKS: Record<string, string> = {
  budget_reached: "today's model budget is used up",
  not_configured: "no model is set up",
  rate_limited: "the model is busy",
  deadline: "the model took too long",
  invalid_output: "the model's answer could not be used",
  breaker_open: "the model failed several times just now",
  loading: "the model was still being loaded",
  busy: "too many model calls were under way",
};

/** Why no model was used. */
export const fallbackReason = (reason: string): string => FALLBACKS[reason] ?? "the model can't be reached";

export const BUDGET_REACHED = "budget_reached";

const REFUSALS: Record<string, string> = {
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

/** What went wrong, for people. */
export function refusal(error: ApiError): string {
  return (
    REFUSALS[error.code] ?? error.detail ?? (error.status >= 500 ? REFUSALS.internal : null) ?? error.title
  );
}

const SECRETS: Record<Schemas["SecretKind"], string> = {
  api_key: "API key",
  password: "password",
  private_key: "private key",
  card: "card number",
  iban: "bank account",
  webhook: "webhook address",
};

/** The sorts of secrets recognised in a message; empty: none. */
export const secretNames = (contains: readonly Schemas["SecretKind"][]): string =>
  contains.map((kind) => SECRETS[kind] ?? sentence(kind)).join(", ");

/** What became of a turn that is over without an answer. */
export function outcome(turn: Turn): string | null {
  if (!isOver(turn) || turn.phase === "answered") return null;
  if (turn.phase === "signed_out") return "Waiting for you to sign in again.";
  return turn.error ? refusal(turn.error) : null;
}

export function percent(share: number): string {
  return `${Math.round(Math.min(1, Math.max(0, share)) * 100)}%`;
}

export function cost(usd: number): string {
  if (usd === 0) return "$0";
  return usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`;
}

export function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function sentence(code: string): string {
  const words = code.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
