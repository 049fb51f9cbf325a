/** Actions of an answer: copy, regenerate, fork the conversation, rate, switch versions. */

import { ActionBarPrimitive, useAuiState } from "@assistant-ui/react";
import { Check, Copy, GitBranch, RefreshCw } from "lucide-react";
import { useClipboard } from "@/chat/clipboard";
import { FeedbackButtons } from "@/chat/feedback/FeedbackButtons";
import type { ThreadItem } from "@/chat/thread/threadItems";
import { classNames, IconButton } from "@/ui/Controls";
import styles from "./messages.module.css";
import { useForkConversation } from "./useForkConversation";
import { VersionPicker } from "./VersionPicker";

export function AnswerActions({ item, isLast }: { item: ThreadItem; isLast: boolean }) {
  const [copied, copy] = useClipboard();
  const [isForking, fork] = useForkConversation();
  const { messageId } = item;
  const isBusy = useAuiState((state) => state.thread.isRunning);
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
      {isStored && (
        <ActionBarPrimitive.Reload asChild disabled={isBusy}>
          <IconButton small label="Answer again" data-testid="regenerate">
            <RefreshCw size={15} aria-hidden />
          </IconButton>
        </ActionBarPrimitive.Reload>
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
