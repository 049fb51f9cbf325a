/** Badge that tells how a message was understood. Its popover shows why, by what, at what cost, and what was read. */

import { WifiOff } from "lucide-react";
import type { ReactNode } from "react";
import {
  actionLabel,
  actLabel,
  BUDGET_REACHED,
  fallbackLabel,
  formatCost,
  formatDuration,
  replaceActionCodes,
  sourceLabel,
  surenessLabel,
  understoodLabel,
} from "@/chat/labels";
import type { ReplyMetadata, Usage } from "@/chat/thread/replyMetadata";
import type { Decision } from "@/stream/frames";
import { classNames } from "@/ui/Controls";
import { Popover } from "@/ui/Popover";
import { ContextReceipt } from "./ContextReceipt";
import styles from "./DecisionBadge.module.css";

interface DecisionProps {
  metadata: ReplyMetadata;
  turnId: string | null;
  /** The answer is complete, so that its context can be read. */
  isDone: boolean;
}

export function DecisionBadge({ metadata, turnId, isDone }: DecisionProps) {
  const { decision } = metadata;
  if (!decision) return null;
  const degraded = degradedLabel(metadata);
  const trigger = (
    <button
      type="button"
      className={classNames(styles.badge, degraded && styles.degraded)}
      data-testid="decision-badge"
    >
      {degraded && <WifiOff size={13} aria-hidden />}
      <span className="visually-hidden">How this was understood: </span>
      <span>{understoodLabel(decision)}</span>
      {degraded && <span data-testid="offline-tier">{degraded}</span>}
    </button>
  );
  return (
    <Popover trigger={trigger} label="How this was understood" testId="decision-details">
      <DecisionDetails decision={decision} {...{ metadata, turnId, isDone }} />
    </Popover>
  );
}

/** Why the answer had to do without a model, in two words; null if it did not. */
function degradedLabel({ decision, routing }: ReplyMetadata): string | null {
  const reasons = [decision?.fallback_reason, routing?.fallbackReason];
  if (reasons.includes(BUDGET_REACHED)) return "budget reached";
  return decision?.source === "offline" && decision.fallback_reason ? "offline tier" : null;
}

function DecisionDetails({ decision, metadata, turnId, isDone }: DecisionProps & { decision: Decision }) {
  const { routing, usage, processingMs } = metadata;
  const costUsd = usage?.costUsd ?? decision.cost_usd ?? null;
  const hasModelCalls = usage && usage.modelCalls > 0;
  return (
    <div className={styles.details}>
      <h2>{understoodLabel(decision)}</h2>
      <Acts acts={decision.acts ?? []} />
      <p className={styles.sureness}>{surenessLabel(decision)}.</p>
      {decision.reasoning && <p className={styles.reasoning}>{replaceActionCodes(decision.reasoning)}</p>}
      <dl>
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
      {turnId && isDone && metadata.persisted && <ContextReceipt turnId={turnId} />}
    </div>
  );
}

/** What the message does, act by act, in the words that carry it. The heading has named the only kind of act. */
function Acts({ acts }: { acts: NonNullable<Decision["acts"]> }) {
  const isMixed = new Set(acts.map(actLabel)).size > 1;
  const shown = acts.filter((act) => isMixed || act.text || act.things?.length);
  if (shown.length === 0) return null;
  return (
    <ul className={styles.acts} data-testid="acts">
      {shown.map((act, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: acts are identified by their position
        <li key={index} dir="auto">
          {isMixed && <b>{actLabel(act)}</b>}
          {act.things?.length ? `${isMixed ? ": " : ""}${act.things.join(", ")}` : ""}
          {act.text && <q>{act.text}</q>}
        </li>
      ))}
    </ul>
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
