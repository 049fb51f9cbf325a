/** Badge with the decision about a message. Its popover shows reasoning, confidence, source and cost. */

import { CircleHelp, Sparkles, WifiOff } from "lucide-react";
import type { ReactNode } from "react";
import {
  actionLabel,
  BUDGET_REACHED,
  fallbackLabel,
  formatCost,
  formatDuration,
  formatPercent,
  isConversation,
  replaceActionCodes,
  sourceLabel,
} from "@/chat/labels";
import type { ReplyMetadata, Usage } from "@/chat/thread/replyMetadata";
import type { Decision } from "@/stream/frames";
import { classNames } from "@/ui/Controls";
import { Popover } from "@/ui/Popover";
import styles from "./DecisionBadge.module.css";

interface DecisionProps {
  metadata: ReplyMetadata;
  turnId: string | null;
}

export function DecisionBadge({ metadata, turnId }: DecisionProps) {
  const { decision } = metadata;
  if (!decision) return null;
  const degraded = degradedLabel(metadata);
  const Icon = degraded ? WifiOff : decision.is_ambiguous ? CircleHelp : Sparkles;
  const isQuiet = isConversation(decision);
  const trigger = (
    <button
      type="button"
      className={classNames(styles.badge, degraded && styles.degraded)}
      data-testid="decision-badge"
    >
      <Icon size={13} aria-hidden />
      <span className="visually-hidden">How this was understood: </span>
      <span>{decisionLabel(decision)}</span>
      {!isQuiet && <span className={styles.confidence}>{formatPercent(decision.confidence)}</span>}
      {degraded && <span data-testid="offline-tier">{degraded}</span>}
    </button>
  );
  return (
    <Popover trigger={trigger} label="How this was understood" testId="decision-details">
      <DecisionDetails decision={decision} metadata={metadata} turnId={turnId} />
    </Popover>
  );
}

const decisionLabel = (decision: Decision): string =>
  isConversation(decision) ? "Conversation" : actionLabel(decision.action_type);

/** Why the answer had to do without a model, in two words; null if it did not. */
function degradedLabel({ decision, routing }: ReplyMetadata): string | null {
  const reasons = [decision?.fallback_reason, routing?.fallbackReason];
  if (reasons.includes(BUDGET_REACHED)) return "budget reached";
  return decision?.source === "offline" && decision.fallback_reason ? "offline tier" : null;
}

function DecisionDetails({ decision, metadata, turnId }: DecisionProps & { decision: Decision }) {
  const { routing, usage, processingMs } = metadata;
  const costUsd = usage?.costUsd ?? decision.cost_usd ?? null;
  const hasModelCalls = usage && usage.modelCalls > 0;
  return (
    <div className={styles.details}>
      <h2>{decisionLabel(decision)}</h2>
      <div className={styles.meter}>
        <meter min={0} max={1} value={decision.confidence} aria-label="Confidence" />
        <span>{formatPercent(decision.confidence)} sure</span>
      </div>
      {decision.reasoning && <p className={styles.reasoning}>{replaceActionCodes(decision.reasoning)}</p>}
      <dl>
        {decision.is_ambiguous && <Row name="Ambiguous">Yes, so it asked back</Row>}
        {decision.alternative_action && (
          <Row name="Could also mean">{actionLabel(decision.alternative_action)}</Row>
        )}
        <Row name="Decided by">{sourceLabel(decision.source)}</Row>
        {decision.model && decision.source === "model" && <Row name="Model">{decision.model}</Row>}
        {decision.fallback_reason && (
          <Row name="Without a model">because {fallbackLabel(decision.fallback_reason)}</Row>
        )}
        {hasModelCalls && routing && <Row name="Answered by">{routing.model}</Row>}
        {hasModelCalls && routing?.reason && <Row name="Because">{routing.reason}</Row>}
        {routing?.fallbackReason && routing.fallbackReason !== decision.fallback_reason && (
          <Row name="Routing">{fallbackLabel(routing.fallbackReason)}</Row>
        )}
        {hasModelCalls && (
          <Row name="Tokens">
            {usage.promptTokens.toLocaleString("en")} in, {usage.completionTokens.toLocaleString("en")} out (
            {usage.modelCalls} {usage.modelCalls === 1 ? "call" : "calls"})
          </Row>
        )}
        <Row name="Cost">{costUsd === null ? costUnknownLabel(usage) : formatCost(costUsd)}</Row>
        {processingMs !== null && <Row name="Took">{formatDuration(processingMs)}</Row>}
        {turnId && (
          <Row name="Turn">
            <code>{turnId.split(".").at(-1)}</code>
          </Row>
        )}
      </dl>
    </div>
  );
}

const costUnknownLabel = (usage: Usage | null): string =>
  usage && usage.modelCalls > 0 ? "Not known" : "Nothing, no model was asked";

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
