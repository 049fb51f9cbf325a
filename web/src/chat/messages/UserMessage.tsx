/** A message of the user, with its actions. One that waits can be changed and removed. */

import { Check, Clock, Copy, Pencil, Pin, Undo2, X } from "lucide-react";
import { memo, useEffect, useState } from "react";
import { MessageFiles } from "@/attachments/MessageFiles";
import { useClipboard } from "@/chat/clipboard";
import { EditComposer } from "@/chat/composer/EditComposer";
import { hidePostingLinks } from "@/chat/thread/postingLinks";
import { useThread } from "@/chat/thread/ThreadContext";
import type { ThreadItem } from "@/chat/thread/threadItems";
import { Badge, IconButton } from "@/ui/Controls";
import { ConfirmDialog } from "@/ui/Dialog";
import { showToast } from "@/ui/Toasts";
import styles from "./messages.module.css";
import { SecretBadge } from "./SecretBadge";
import { useMessageActions } from "./useMessageActions";

interface UserMessageProps {
  item: ThreadItem;
  /** A message waits or is being answered, so that none can be sent again. */
  isBusy: boolean;
  isEdited: boolean;
  /** Starts editing the item; null ends it. */
  onEdit: (itemId: string | null) => void;
}

export const UserMessage = memo(function UserMessage(props: UserMessageProps) {
  const { item, isEdited, onEdit } = props;
  const isWaiting = item.turn?.phase === "waiting";
  const edit = useEdit(props);
  if (item.deleted) return <p className={styles.deleted}>You took this message back.</p>;
  if (isEdited) return <EditComposer text={item.text} {...edit} />;
  return (
    <article
      className={styles.user}
      aria-label="You said"
      data-testid="message-user"
      data-turn-id={item.turnId ?? undefined}
      data-status={isWaiting ? "waiting" : undefined}
      title={new Date(item.createdAt).toLocaleString()}
    >
      <MessageFiles files={item.files} />
      <div className={styles.bubble} dir="auto">
        {item.picked ?? (item.messageId ? item.text : hidePostingLinks(item.text))}
      </div>
      <SecretBadge contains={item.contains} />
      {isWaiting ? <WaitingActions item={item} onEdit={onEdit} /> : <SentActions {...props} />}
    </article>
  );
});

function WaitingActions({ item, onEdit }: Pick<UserMessageProps, "item" | "onEdit">) {
  const thread = useThread();
  const { turn } = item;
  return (
    <div className={styles.waiting}>
      <Badge data-testid="waiting">
        <Clock size={12} aria-hidden />
        Waiting
      </Badge>
      {turn && !turn.isPosted && (
        <>
          <IconButton small label="Edit" onClick={() => onEdit(item.id)} data-testid="edit-waiting">
            <Pencil size={15} aria-hidden />
          </IconButton>
          <IconButton
            small
            label="Remove"
            onClick={() => thread.discard(turn.key)}
            data-testid="remove-waiting"
          >
            <X size={15} aria-hidden />
          </IconButton>
        </>
      )}
    </div>
  );
}

function SentActions({ item, isBusy, onEdit }: UserMessageProps) {
  const [copied, copy] = useClipboard();
  return (
    <div className={styles.actions}>
      <IconButton
        small
        label={copied ? "Copied" : "Copy"}
        onClick={() => void copy(item.picked ?? item.text)}
      >
        {copied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
      </IconButton>
      {item.messageId && (
        <IconButton
          small
          label="Edit and send again"
          disabled={isBusy}
          onClick={() => onEdit(item.id)}
          data-testid="edit"
        >
          <Pencil size={15} aria-hidden />
        </IconButton>
      )}
      {item.messageId && item.turn === null && <StoredActions messageId={item.messageId} isBusy={isBusy} />}
    </div>
  );
}

/** Pins a message, so that it goes along with every answer, and takes one back for good. */
function StoredActions({ messageId, isBusy }: { messageId: string; isBusy: boolean }) {
  const { pin, takeBack } = useMessageActions(messageId);
  const [isConfirming, setConfirming] = useState(false);
  return (
    <>
      <IconButton small label="Keep in mind for every answer" onClick={() => void pin()} data-testid="pin">
        <Pin size={15} aria-hidden />
      </IconButton>
      <IconButton
        small
        label="Take back"
        disabled={isBusy}
        onClick={() => setConfirming(true)}
        data-testid="take-back"
      >
        <Undo2 size={15} aria-hidden />
      </IconButton>
      {isConfirming && (
        <ConfirmDialog
          title="Take this message back?"
          text="What it says is deleted for good. Its answer stays."
          action="Take back"
          onConfirm={() => void takeBack()}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}

/** Editing a message in its place: a stored one is sent again, one that waits is changed. */
function useEdit({ item: { turn, messageId, files }, isEdited, onEdit }: UserMessageProps) {
  const thread = useThread();
  const waitingKey = turn?.phase === "waiting" ? turn.key : null;
  useEffect(() => {
    if (!isEdited || waitingKey === null) return;
    thread.editWaiting(waitingKey);
    return () => thread.editWaiting(null);
  }, [thread, isEdited, waitingKey]);
  const onSend = (text: string) => {
    if (waitingKey && !thread.rewriteWaiting(waitingKey, text))
      showToast({ text: "That message was sent in the meantime." });
    else if (!waitingKey && messageId) thread.edit(messageId, text, files);
    onEdit(null);
  };
  const hint = waitingKey
    ? "It keeps its place among the messages that wait."
    : "What followed this message stays in the earlier version of the conversation.";
  return { hint, action: waitingKey ? "Save" : "Send", onSend, onCancel: () => onEdit(null) };
}
