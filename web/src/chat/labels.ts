/** Texts for stages, actions, sources, errors and secrets, and formats for numbers in the chat. */

import type { ApiError } from "@/api/apiError";
import type { Schemas } from "@/api/client";
import type { Decision, Stage } from "@/stream/frames";
import { isTurnOver, type Turn } from "@/stream/turn";

const STAGES: Record<Stage, string> = {
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
  "agent.create": "Create an agent",
  "agent.copy": "Copy an agent",
  "agent.change": "Change an agent",
  "agent.pause": "Pause an agent",
  "agent.resume": "Resume an agent",
  "agent.delete": "Delete an agent",
  "agent.restore": "Restore an agent",
  "agent.share": "Share an agent",
  "agent.unshare": "Stop sharing an agent",
  "agent.run": "Run an agent",
  "agent.list": "List agents",
  "agent.show": "Show an agent",
  "run.cancel": "Cancel a run",
  "run.result": "Show the result of a run",
  "task.add": "Add a task",
  "task.complete": "Complete a task",
  "task.reopen": "Reopen a task",
  "task.change": "Change a task",
  "task.delete": "Delete a task",
  "task.list": "List tasks",
  "task.restore": "Restore a task",
  "skill.connect": "Connect a service",
  "skill.list": "List services",
  "skill.remove": "Remove a service",
  "workspace.ask": "A question about the workspace",
  "usage.ask": "A question about usage",
  "policy.show": "Show a setting",
  "policy.set": "Change a setting",
  "data.export": "Export data",
  "data.erase": "Erase data",
  "chat.delete": "Delete this conversation",
  "recall.ask": "A question about what was said",
  remember: "Remember something",
  sum: "Work something out",
  clock: "Tell the time",
  "product.ask": "A question about the product",
  "world.ask": "A question",
  "world.do": "Do something once",
  social: "Conversation",
  unsure: "Not sure what was meant",
  yes: "A yes",
  no: "A no",
  later: "Not now",
  resume: "Go on with a draft",
  pick: "Pick an option",
  answer: "An answer",
  undo: "Undo something",
  why: "Explain an answer",
  none: "Nothing to do",
};

/** The acts that a user may name as what would have been right. */
const CORRECTING_ACTS = [
  "agent.run",
  "agent.pause",
  "agent.list",
  "run.result",
  "task.add",
  "task.complete",
  "task.list",
] as const;

/** What is changed of an agent, by the only part that a message gives. */
const CHANGES: Record<string, string> = {
  when: "Change when an agent runs",
  where: "Set where an agent's results go",
  source: "Change what an agent reads",
  name: "Rename an agent",
};

type Act = NonNullable<Decision["acts"]>[number];

/** What a kind of act does, in the reader's words. */
export const actKindLabel = (kind: string): string => ACTS[kind] ?? sentenceCase(kind.replaceAll(".", " "));

/** What an act of a message does, in the reader's words. */
export function actLabel({ kind, slots }: Pick<Act, "kind" | "slots">): string {
  const [part, ...others] = Object.keys(slots ?? {});
  const change = kind === "agent.change" && part && others.length === 0 ? CHANGES[part] : undefined;
  return change ?? actKindLabel(kind);
}

/** How a message was understood, in a few words: as what it does, or as the kind of request it is. */
export function understoodLabel(decision: Decision): string {
  const acts = (decision.acts ?? []).filter((act) => act.kind !== "none");
  const labels = [...new Set(acts.map(actLabel))];
  if (labels.length > 0) return labels.join(", then ").replace(/(?<=, then )./g, lowerCase);
  return isConversation(decision) ? "Conversation" : actionLabel(decision.action_type);
}

/** How sure the reading is, in words: a figure beside "Not sure" would say nothing. */
export function surenessLabel({ action_type, confidence, is_ambiguous }: Sureness): string {
  if (is_ambiguous) return "It could mean several things, so it asked back";
  if (confidence >= SURE_FROM) return action_type === "unknown" ? "Sure that nothing is to be done" : "Sure";
  return confidence >= FAIRLY_SURE_FROM ? "Fairly sure" : "Not sure";
}

/** The actions and acts that a correction may name, with their labels. */
export const CORRECTION_OPTIONS = [
  ...Object.entries(ACTIONS).filter(([name]) => name !== "unknown"),
  ...CORRECTING_ACTS.map((kind) => [kind, actKindLabel(kind)] as const),
];

/** What says how sure a reading is. */
type Sureness = Pick<Decision, "action_type" | "confidence" | "is_ambiguous">;

const SURE_FROM = 0.7;
const FAIRLY_SURE_FROM = 0.5;

/** Whether a message is surely none of the actions: small talk and the like, with nothing to doubt. */
export const isConversation = (decision: Sureness): boolean =>
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

/** The reasons of `llm.errors` for doing without a model. */
const FALLBACKS: Record<string, string> = {
  budget_reached: "today's model budget is used up",
  budget_unknown: "today's model budget could not be checked",
  not_configured: "no model is set up",
  refused: "the model's provider refused the request; its key, permission or model name may be wrong",
  rate_limited: "the model is busy",
  server_error: "the model's provider had a fault",
  unreachable: "the model's provider can't be reached",
  deadline: "the model took too long",
  invalid_output: "the model's answer could not be used",
  acts_not_in_message: "the model's answer did not fit your message",
  breaker_open: "the model failed several times just now, so it rests",
  loading: "the model was still being loaded",
  model_loading: "the model was still being loaded",
  busy: "too many model calls were under way",
  unknown_model: "the model that was picked is not set up",
};

/** Why no model was used, as part of a sentence. */
export const fallbackLabel = (reason: string): string => FALLBACKS[reason] ?? "no model gave an answer";

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

const lowerCase = (text: string): string => text.toLowerCase();

function sentenceCase(code: string): string {
  const text = code.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
