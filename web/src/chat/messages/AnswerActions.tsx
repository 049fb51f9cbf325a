/** Actions of an answer: copy, regenerate, fork the conversation, rate, switch versions. */

import { Check, Copy, GitBranch, RefreshCw } from "lucide-react";
import { useClipboard } from "@/chat/clipboard";
import { FeedbackButtons } from "@/chat/feedback/FeedbackButtons";
import { useThread } from "@/chat/thread/ThreadContext";
import type { ThreadItem } from "@/chat/thread/threadItems";
import { classNames, IconButton } from "@/ui/Controls";
import styles from "./messages.module.css";
import { useForkConversation } from "./useForkConversation";
import { VersionPicker } from "./VersionPicker";

interface AnswerActionsProps {
  item: ThreadItem;
  isLast: boolean;
  isBusy: boolean;
}

export function AnswerActions({ item, isLast, isBusy }: AnswerActionsProps) {
  const thread = useThread();
  const [copied, copy] = useClipboard();
  const [isForking, fork] = useForkConversation();
  const { messageId } = item;
  const isStored = messageId !== null && item.metadata?.persisted !== false;
  return (
    <div className={classNames(styles.actions, isLast && styles.always)}>
      <IconButton
        small
        label={copied ? "Copied" : "Copy"}
        onClick={() => void copy(item.text)}
        data-testid="copy"
      >
        {copied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
      </IconButton>
      {isStored && messageId && (
        <IconButton
          small
          label="Answer again"
          disabled={isBusy}
          onClick={() => thread.regenerate(messageId)}
          data-testid="regenerate"
        >
          <RefreshCw size={15} aria-hidden />
        </IconButton>
      )}
      {isStored && messageId && (
        <IconButton
          small
          label="Go on from here in a copy"
          disabled={isForking}
          onClick={() => void fork(messageId)}
          data-testid="branch"
        >
          <GitBranch size={15} aria-hidden />
        </IconButton>
      )}
      {isStored && messageId && item.turn === null && <FeedbackButtons messageId={messageId} />}
      {item.edited && messageId && <VersionPicker messageId={messageId} />}
    </div>
  );
}
