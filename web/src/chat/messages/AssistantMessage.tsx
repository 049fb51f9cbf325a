/** An answer: what is being done for it, what it says, how it came about, and what can be done with it. */

import { MessagePrimitive, useAuiState } from "@assistant-ui/react";
import styles from "@/chat/chat.module.css";
import { doing } from "@/chat/labels";
import { Markdown, MarkdownBesideOptions } from "@/chat/markdown/Markdown";
import { useItem } from "@/chat/thread/assistantRuntime";
import type { Item } from "@/chat/thread/threadItems";
import { isOver, type Turn } from "@/stream/turn";
import { Badge } from "@/ui/Controls";
import { AnswerActions } from "./AnswerActions";
import { Options, YesOrNo } from "./AnswerOptions";
import { DecisionBadge } from "./DecisionBadge";
import { SecretMark } from "./SecretBadge";
import { ToolCalls } from "./ToolCalls";
import { TurnProblem } from "./TurnError";

const TEXT = { Text: Markdown };
const TEXT_BESIDE_OPTIONS = { Text: MarkdownBesideOptions };

export function AssistantMessage() {
  const item = useItem();
  const isLast = useAuiState((state) => state.message.isLast);
  const { turn, metadata } = item;
  const isRunning = turn !== null && !isOver(turn);
  const status = isRunning ? "running" : turn && turn.phase !== "answered" ? "failed" : "done";
  const isAsking = isLast && status === "done";
  const options = isAsking ? (metadata?.options ?? []) : [];
  if (item.deleted) return <TakenBack />;
  return (
    <article
      className={styles.assistant}
      aria-label="OmniForge said"
      data-testid="message-assistant"
      data-turn-id={item.turnId ?? undefined}
      data-status={status}
    >
      {metadata && <ToolCalls calls={metadata.toolCalls} />}
      {item.text !== "" && (
        <div className={styles.said}>
          <MessagePrimitive.Parts components={options.length > 0 ? TEXT_BESIDE_OPTIONS : TEXT} />
        </div>
      )}
      {isRunning && <ThinkingLine item={item} />}
      {turn && status === "failed" && <TurnProblem turn={turn} />}
      {options.length > 0 && <Options options={options} />}
      {isAsking && metadata?.asksYesOrNo && <YesOrNo />}
      <div className={styles.foot}>
        {metadata?.decision && <DecisionBadge metadata={metadata} turnId={item.turnId} />}
        {metadata && <Marks item={item} />}
        <SecretMark contains={item.contains} />
        {status === "done" && <AnswerActions item={item} isLast={isLast} />}
      </div>
    </article>
  );
}

/** What is being done, in words, until the text itself shows it. */
function ThinkingLine({ item }: { item: Item }) {
  const { turn } = item;
  if (!turn || speaksForItself(turn)) return null;
  return (
    <p className={styles.thinking} data-testid="thinking">
      <span className={styles.dots} aria-hidden>
        <i />
        <i />
        <i />
      </span>
      {doing(turn)}…
    </p>
  );
}

const SPOKEN = new Set<string | null>(["answering", "storing"]);

/** The text appears, which says enough. */
const speaksForItself = (turn: Turn): boolean =>
  turn.text !== "" && turn.phase === "running" && !turn.stopping && SPOKEN.has(turn.stage);

/** What the reader should know of the answer. */
function Marks({ item }: { item: Item }) {
  const { metadata, turn } = item;
  if (!metadata || (turn && !isOver(turn))) return null;
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

const TakenBack = () => <p className={styles.takenBack}>This answer was taken back.</p>;
