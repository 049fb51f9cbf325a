/** Details of a run: progress, result, deliveries, usage and duration. */

import { Check, Copy, X } from "lucide-react";
import { useClipboard } from "@/chat/clipboard";
import { Markdown } from "@/chat/markdown/Markdown";
import { Button, IconButton } from "@/ui/Controls";
import styles from "./agents.module.css";
import { HeldCalls } from "./HeldCalls";
import { deliveryOutcomeLabel, isRunOver, runDurationLabel, usageLabel } from "./labels";
import { type Run, useCancelRun } from "./queries";
import { useShowConversation } from "./useShowChat";

export function RunDetails({ run }: { run: Run }) {
  return (
    <>
      {!isRunOver(run) && <RunProgress run={run} />}
      {isRunOver(run) && (run.status !== "succeeded" || !run.output) && run.outcome && (
        <p className={styles.outcome}>{run.outcome.words}</p>
      )}
      {run.output && <Output text={run.output} />}
      {run.skill_notes?.map((note) => (
        <p key={note} className={styles.outcome} data-testid="run-skill-note">
          {note}
        </p>
      ))}
      <HeldCalls run={run} />
      <Deliveries run={run} />
      <RunFacts run={run} />
    </>
  );
}

function RunProgress({ run }: { run: Run }) {
  const cancel = useCancelRun(run);
  return (
    <div className={styles.underWay}>
      <p aria-live="polite">
        {run.progress?.at(-1) ?? (run.status === "queued" ? "It starts in a moment." : "At work.")}
      </p>
      <Button
        small
        disabled={cancel.isPending || cancel.isSuccess}
        onClick={() => cancel.mutate()}
        data-testid="run-cancel"
      >
        {cancel.isSuccess ? "Stopping…" : "Cancel"}
      </Button>
    </div>
  );
}

function Output({ text }: { text: string }) {
  const [copied, copy] = useClipboard();
  return (
    <div className={styles.output} data-testid="run-output">
      <IconButton
        small
        label={copied ? "Copied" : "Copy result"}
        className={styles.copy}
        onClick={() => void copy(text)}
      >
        {copied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
      </IconButton>
      <Markdown text={text} />
    </div>
  );
}

function Deliveries({ run }: { run: Run }) {
  if (!run.deliveries?.length) return null;
  return (
    <ul className={styles.deliveries} aria-label="Delivery">
      {run.deliveries.map((delivery) => (
        <li key={`${delivery.channel} ${delivery.target}`} data-testid="run-delivery">
          {delivery.status === "delivered" ? (
            <Check size={14} aria-hidden className={styles.good} />
          ) : (
            <X size={14} aria-hidden className={styles.bad} />
          )}
          {deliveryOutcomeLabel(delivery)}
        </li>
      ))}
    </ul>
  );
}

function RunFacts({ run }: { run: Run }) {
  const { conversation_id: conversationId } = run;
  const showConversation = useShowConversation();
  const facts = [usageLabel(run), runDurationLabel(run), toolCallsLabel(run)].filter(Boolean).join(" · ");
  return (
    <p className={styles.runFacts}>
      {facts && <span data-testid="run-usage">{facts}</span>}
      {conversationId && (
        <button type="button" className={styles.textButton} onClick={() => showConversation(conversationId)}>
          Open its conversation
        </button>
      )}
    </p>
  );
}

function toolCallsLabel(run: Run): string | null {
  const count = run.tool_calls?.length ?? 0;
  return count === 0 ? null : `${count} tool ${count === 1 ? "call" : "calls"}`;
}
