/** An answer of the assistant: tool calls, text, progress, decision and actions. */

import { memo } from "react";
import { useBrand } from "@/brand/brand";
import { progressLabel } from "@/chat/labels";
import { Markdown } from "@/chat/markdown/Markdown";
import type { ThreadItem } from "@/chat/thread/threadItems";
import { isTurnOver, type Turn } from "@/stream/turn";
import { Badge } from "@/ui/Controls";
import { AnswerActions } from "./AnswerActions";
import { AnswerOptions, stripOptions, YesNoButtons } from "./AnswerOptions";
import { DecisionBadge } from "./DecisionBadge";
import styles from "./messages.module.css";
import { SecretBadge } from "./SecretBadge";
import { ToolCalls } from "./ToolCalls";
import { TurnError } from "./TurnError";

interface AssistantMessageProps {
  item: ThreadItem;
  isLast: boolean;
  /** A message waits or is being answered, so that none can be answered again. */
  isBusy: boolean;
}

export const AssistantMessage = memo(function AssistantMessage(props: AssistantMessageProps) {
  const { item, isLast, isBusy } = props;
  const { name } = useBrand();
  const { turn, metadata } = item;
  const isRunning = turn !== null && !isTurnOver(turn);
  const status = isRunning ? "running" : turn && turn.phase !== "answered" ? "failed" : "done";
  const canReply = isLast && status === "done";
  const options = canReply ? (metadata?.options ?? []) : [];
  if (item.deleted) return <DeletedAnswer />;
  return (
    <article
      className={styles.assistant}
      aria-label={`${name} said`}
      data-testid="message-assistant"
      data-turn-id={item.turnId ?? undefined}
      data-status={status}
    >
      {metadata && <ToolCalls calls={metadata.toolCalls} />}
      {item.text !== "" && (
        <div className={styles.content}>
          <Markdown text={stripOptions(item.text, options)} />
        </div>
      )}
      {isRunning && <ProgressLine item={item} />}
      {turn && status === "failed" && <TurnError turn={turn} />}
      {options.length > 0 && <AnswerOptions options={options} />}
      {canReply && metadata?.asksYesOrNo && <YesNoButtons />}
      <div className={styles.footer}>
        {metadata?.decision && (
          <DecisionBadge metadata={metadata} turnId={item.turnId} isDone={status === "done"} />
        )}
        {metadata && <StatusBadges item={item} />}
        <SecretBadge contains={item.contains} />
        {status === "done" && <AnswerActions item={item} isLast={isLast} isBusy={isBusy} />}
      </div>
    </article>
  );
});

/** Tells what is being done, until the text appears. */
function ProgressLine({ item }: { item: ThreadItem }) {
  const { turn } = item;
  if (!turn || isTextAppearing(turn)) return null;
  return (
    <p className={styles.thinking} data-testid="thinking">
      <span className={styles.dots} aria-hidden>
        <i />
        <i />
        <i />
      </span>
      {progressLabel(turn)}…
    </p>
  );
}

const WRITING_STAGES = new Set<string | null>(["answering", "storing"]);

const isTextAppearing = (turn: Turn): boolean =>
  turn.text !== "" && turn.phase === "running" && !turn.isStopping && WRITING_STAGES.has(turn.stage);

/** Badges for answers that are incomplete or not stored. */
function StatusBadges({ item }: { item: ThreadItem }) {
  const { metadata, turn } = item;
  if (!metadata || (turn && !isTurnOver(turn))) return null;
  return (
    <>
      {metadata.partial && (
        <Badge
          tone="warn"
          data-testid="partial"
          title="You stopped this answer; it is kept as far as it came."
        >
          Stopped early
        </Badge>
      )}
      {!metadata.persisted && (
        <Badge
          tone="warn"
          data-testid="not-persisted"
          title={
            metadata.storedLater
              ? "The storage is out of reach at the moment. This answer will be saved when it is back."
              : "No history holds this answer. Copy what you need."
          }
        >
          {metadata.storedLater ? "Not saved yet" : "Not saved"}
        </Badge>
      )}
    </>
  );
}

const DeletedAnswer = () => <p className={styles.deleted}>This answer was taken back.</p>;
