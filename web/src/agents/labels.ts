/** Texts for agents, runs and deliveries in the agents panel. */

import type { Schemas } from "@/api/client";
import { formatCost } from "@/chat/labels";
import { joinWords } from "./cron";

type Run = Schemas["RunView"];
type Delivery = Schemas["DeliveryOutcome"];
type Tone = "good" | "warn" | "bad" | "accent";

const SPELLINGS: Record<string, string> = {
  github: "GitHub",
  gitlab: "GitLab",
  hubspot: "HubSpot",
  clickup: "ClickUp",
  sharepoint: "SharePoint",
  quickbooks: "QuickBooks",
  postgresql: "PostgreSQL",
  mysql: "MySQL",
  onedrive: "OneDrive",
  servicenow: "ServiceNow",
  bigquery: "BigQuery",
  pagerduty: "PagerDuty",
  linkedin: "LinkedIn",
  youtube: "YouTube",
  email: "e-mail",
  sms: "SMS",
  sap: "SAP",
  crm: "CRM",
  csv: "CSV",
  rss: "RSS",
  aws: "AWS",
  s3: "S3",
  webhook: "webhook",
  conversation: "conversation",
};

/** The name of a service or channel, such as `Google Sheets` for `google sheets`. */
export function serviceName(service: string): string {
  return SPELLINGS[service] ?? service.replace(/(^|\s)\S/g, (letter) => letter.toUpperCase());
}

/** Where results are delivered, such as `conversation and Slack (#team-updates)`. */
export function deliveryLabel(delivery: Schemas["Delivery"] | undefined): string {
  const channels = joinWords((delivery?.channels ?? ["conversation"]).map(serviceName));
  const recipients = delivery?.recipients ?? [];
  return recipients.length > 0 ? `${channels} (${recipients.map(addressLabel).join(", ")})` : channels;
}

/** An address for display. The path of a web address is left out, because it often contains a secret. */
export function addressLabel(address: string): string {
  if (!/^https?:\/\//i.test(address)) return address;
  try {
    return new URL(address).host;
  } catch {
    return "a web address";
  }
}

const notConnectedLabel = (services: readonly string[]): string =>
  `Not connected yet: ${joinWords(services)}.`;

/** What an agent is missing: skills for its sources, and addresses for its channels; null if nothing. */
export function missingConnectionsLabel(
  missing: readonly string[],
  sources: readonly string[] | null,
): string | null {
  if (missing.length === 0) return null;
  if (sources === null) return notConnectedLabel(missing.map(serviceName));
  const notConnected = missing.filter((name) => sources.includes(name)).map(serviceName);
  const withoutAddress = missing.filter((name) => !sources.includes(name)).map(serviceName);
  const parts: string[] = [];
  if (notConnected.length > 0) parts.push(notConnectedLabel(notConnected));
  if (withoutAddress.length > 0) parts.push(`No address for ${joinWords(withoutAddress)} yet.`);
  return parts.join(" ");
}

/** What an agent still lacks, as far as only a workspace can have it; null if nothing. */
export function missingModelLabel(missing: readonly Schemas["Missing"][]): string | null {
  if (missing.some(({ kind }) => kind === "model")) return "No model is set up here yet.";
  return missing.some(({ kind }) => kind === "budget") ? "The budget for models is 0." : null;
}

/** What a check of a web address tells, such as `when https://acme.test is down`. */
export function checkLabel({ url, expect, status, text, days }: Schemas["Check"]): string {
  switch (expect) {
    case "reachable":
      return `when ${url} is down`;
    case "status":
      return `when ${url} no longer answers with ${status}`;
    case "contains":
      return `when ${url} no longer says “${text}”`;
    case "lacks":
      return `when ${url} says “${text}”`;
    case "unchanged":
      return `when ${url} changes`;
    case "certificate":
      return `${days ?? 14} days before the certificate of ${addressLabel(url)} expires`;
  }
}

const STATUSES: Record<Run["status"] & string, { label: string; tone: Tone | null }> = {
  queued: { label: "Waiting to start", tone: "accent" },
  running: { label: "Working", tone: "accent" },
  succeeded: { label: "Done", tone: "good" },
  failed: { label: "Failed", tone: "bad" },
  cancelled: { label: "Cancelled", tone: null },
  timed_out: { label: "Took too long", tone: "bad" },
};

export const runStatus = (run: Run) => STATUSES[run.status ?? "queued"];

export const isRunOver = (run: Run): boolean => run.status !== "queued" && run.status !== "running";

const TRIGGERS = { chat: "asked for in chat", rest: "started by hand", schedule: "by its schedule" } as const;

export const triggerLabel = (run: Run): string => TRIGGERS[run.trigger ?? "chat"];

const REASONS: Record<string, string> = {
  timeout: "no answer in time",
  unreachable: "it can't be reached",
  url_blocked: "its address is not allowed",
  scheme_blocked: "its address is not https",
  too_large: "the answer was too large",
  out_of_time: "there was no time left",
  redirected: "the address leads elsewhere",
  mail_unavailable: "mail can't be sent at the moment",
  conversation_busy: "the conversation was busy",
  conversation_gone: "the conversation is gone",
};

/** The outcome of the delivery to one channel. */
export function deliveryOutcomeLabel({ channel, target, status, reason }: Delivery): string {
  const name = serviceName(channel);
  const channelAndTarget = target ? `${name} (${addressLabel(target)})` : name;
  const start = channelAndTarget.charAt(0).toUpperCase() + channelAndTarget.slice(1);
  switch (status) {
    case "delivered":
      return `${start}: delivered`;
    case "no_address":
      return `${start}: not sent, there is no address`;
    case "not_allowed":
      return `${start}: not sent, you have not allowed it`;
    case "not_repeated":
      return `${start}: not repeated, it was told before`;
    case "unverified":
      return `${start}: not sent, it has to confirm by the code that it was mailed`;
    case "not_supported":
      return `${start}: not sent, this is not supported here`;
    case "failed":
      return `${start}: not delivered, ${failureReasonLabel(reason ?? "")}`;
  }
}

/** What the owner of a shared agent has changed since the user last ran it. */
export function changeLabel({ owner }: { owner: string }, changed: readonly string[]): string {
  const what = changed.length > 0 ? `: ${joinWords([...changed])}` : "";
  return `${owner} has changed it since you last ran it${what}. What you had allowed it no longer counts, so its results stay with you.`;
}

function failureReasonLabel(reason: string): string {
  const http = /^http_(\d+)$/.exec(reason)?.[1];
  return http ? `it answered with ${http}` : (REASONS[reason] ?? "it did not work");
}

/** The model usage of a run; null if it used no model. */
export function usageLabel(run: Run): string | null {
  const usage = run.usage;
  if (!usage?.model_calls) return null;
  const tokens = (usage.prompt_tokens ?? 0) + (usage.completion_tokens ?? 0);
  const price = usage.cost_usd == null ? "price not known" : formatCost(usage.cost_usd);
  return [usage.model, `${tokens.toLocaleString("en")} tokens`, price].filter(Boolean).join(" · ");
}

/** How long a run took; null unless it is over. */
export function runDurationLabel(run: Run): string | null {
  if (!run.started_at || !run.finished_at) return null;
  const seconds = (Date.parse(run.finished_at) - Date.parse(run.started_at)) / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

const UNITS = [
  ["minute", 60],
  ["hour", 3_600],
  ["day", 86_400],
] as const;
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" });
const SHOWN_AS_DATE_AFTER_S = 7 * 86_400;

/** `just now`, `5 minutes ago`, `yesterday`, or the date. */
export function timeAgo(moment: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(moment)) / 1000);
  if (seconds < 45) return "just now";
  if (seconds > SHOWN_AS_DATE_AFTER_S) return day.format(new Date(moment));
  const [unit, size] = UNITS.findLast(([, size]) => seconds >= size * 0.95) ?? UNITS[0];
  return relative.format(-Math.round(seconds / size), unit);
}

const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** Date and time in the user's time zone. */
export const formatDateTime = (moment: string): string => exact.format(new Date(moment));
