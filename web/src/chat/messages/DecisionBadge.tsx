/** What was understood of the message, as a badge; behind it, why, by what, how surely, and at what cost. */

import { CircleHelp, Sparkles, WifiOff } from "lucide-react";
import type { ReactNode } from "react";
import styles from "@/chat/chat.module.css";
import {
  actionName,
  BUDGET_REACHED,
  cost,
  duration,
  fallbackReason,
  inWords,
  percent,
  sourceName,
} from "@/chat/labels";
import type { ReplyMetadata, Usage } from "@/chat/thread/replyMetadata";
import type { Decision } from "@/stream/frames";
import { classNames } from "@/ui/Controls";
import { Popover } from "@/ui/Menu";

interface Props {
  metadata: ReplyMetadata;
  turnId: string | null;
}

export function DecisionBadge({ metadata, turnId }: Props) {
  const { decision } = metadata;
  if (!decision) return null;
  const degraded = degradation(metadata);
  const Icon = degraded ? WifiOff : decision.is_ambiguous ? CircleHelp : Sparkles;
  const name = actionName(decision.action_type);
  const trigger = (
    <button
      type="button"
      className={classNames(styles.badge, degraded && styles.degraded)}
      data-testid="decision-badge"
    >
      <Icon size={13} aria-hidden />
      <span className="visually-hidden">How this was understood: </span>
      <span>{name}</span>
      <span className={styles.confidence}>{percent(decision.confidence)}</span>
      {degraded && <span data-testid="offline-tier">{degraded}</span>}
    </button>
  );
  return (
    <Popover trigger={trigger} label="How this was understood" testId="decision-details">
      <Details decision={decision} metadata={metadata} turnId={turnId} />
    </Popover>
  );
}

/** Why less than usual stood behind the answer, in two words; null: nothing was missing. */
function degradation({ decision, routing }: ReplyMetadata): string | null {
  const reasons = [decision?.fallback_reason, routing?.fallbackReason];
  if (reasons.includes(BUDGET_REACHED)) return "budget reached";
  return decision?.source === "offline" && decision.fallback_reason ? "offline tier" : null;
}

function Details({ decision, metadata, turnId }: Props & { decision: Decision }) {
  const { routing, usage, processingMs } = metadata;
  const spent = usage?.costUsd ?? decision.cost_usd ?? null;
  const asked = usage && usage.modelCalls > 0;
  return (
    <div className={styles.details}>
      <h2>{actionName(decision.action_type)}</h2>
      <div className={styles.meter}>
        <meter min={0} max={1} value={decision.confidence} aria-label="Confidence" />
        <span>{percent(decision.confidence)} sure</span>
      </div>
      {decision.reasoning && <p className={styles.reasoning}>{inWords(decision.reasoning)}</p>}
      <dl>
        {decision.is_ambiguous && <Row name="Ambiguous">Yes, so it asked back</Row>}
        {decision.alternative_action && (
          <Row name="Could also mean">{actionName(decision.alternative_action)}</Row>
        )}
        <Row name="Decided by">{sourceName(decision.source)}</Row>
        {decision.model && decision.source === "model" && <Row name="Model">{decision.model}</Row>}
        {decision.fallback_reason && (
          <Row name="Without a model">because {fallbackReason(decision.fallback_reason)}</Row>
        )}
        {asked && routing && <Row name="Answered by">{routing.model}</Row>}
        {asked && routing?.reason && <Row name="Because">{routing.reason}</Row>}
        {routing?.fallbackReason && routing.fallbackReason !== decision.fallback_reason && (
          <Row name="Routing">{fallbackReason(routing.fallbackReason)}</Row>
        )}
        {asked && (
          <Row name="Tokens">
            {usage.promptTokens.toLocaleString("en")} in, {usage.completionTokens.toLocaleString("en")} out (
            {usage.modelCalls} {usage.modelCalls === 1 ? "call" : "calls"})
          </Row>
        )}
        <Row name="Cost">{spent === null ? unpaid(usage) : cost(spent)}</Row>
        {processingMs !== null && <Row name="Took">{duration(processingMs)}</Row>}
        {turnId && (
          <Row name="Turn">
            <code>{turnId.split(".").at(-1)}</code>
          </Row>
        )}
      </dl>
    </div>
  );
}

const unpaid = (usage: Usage | null): string =>
  usage && usage.modelCalls > 0 ? "Not known" : "Nothing, no model was asked";

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
