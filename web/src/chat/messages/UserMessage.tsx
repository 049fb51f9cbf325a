/** What the user said, and how to say it in other words. */

import { ActionBarPrimitive, ComposerPrimitive, useAuiState } from "@assistant-ui/react";
import { Check, Copy, Pencil } from "lucide-react";
import { useRef } from "react";
import styles from "@/chat/chat.module.css";
import { useClipboard } from "@/chat/clipboard";
import { measureMessage } from "@/chat/composer/messageLength";
import { useThreadItem } from "@/chat/thread/assistantRuntime";
import { Button, IconButton } from "@/ui/Controls";
import { SecretBadge } from "./SecretBadge";

export function UserMessage() {
  const item = useThreadItem();
  const [copied, copy] = useClipboard();
  const isBusy = useAuiState((state) => state.thread.isRunning);
  if (item.deleted) return <p className={styles.takenBack}>You took this message back.</p>;
  return (
    <article
      className={styles.user}
      aria-label="You said"
      data-testid="message-user"
      data-turn-id={item.turnId ?? undefined}
      title={new Date(item.createdAt).toLocaleString()}
    >
      <div className={styles.bubble} dir="auto">
        {item.text}
      </div>
      <SecretBadge contains={item.contains} />
      <div className={styles.actions}>
        <IconButton small label={copied ? "Copied" : "Copy"} onClick={() => void copy(item.text)}>
          {copied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
        </IconButton>
        {item.messageId && (
          <ActionBarPrimitive.Edit asChild disabled={isBusy}>
            <IconButton small label="Edit and send again" data-testid="edit">
              <Pencil size={15} aria-hidden />
            </IconButton>
          </ActionBarPrimitive.Edit>
        )}
      </div>
    </article>
  );
}

/** In place of the message while it is being edited. */
export function EditComposer() {
  const text = useAuiState((state) => state.message.composer.text);
  const { problem } = measureMessage(text);
  const form = useRef<HTMLFormElement>(null);
  return (
    <ComposerPrimitive.Root
      ref={form}
      className={styles.editor}
      data-testid="edit-composer"
      onSubmit={(event) => problem && event.preventDefault()}
    >
      <ComposerPrimitive.Input
        className={styles.editorText}
        aria-label="Edit your message"
        aria-invalid={problem !== null}
        addAttachmentOnPaste={false}
        submitMode={problem ? "none" : "enter"}
        maxRows={12}
        autoFocus
      />
      <div className={styles.editorFoot}>
        <span role="status">
          {problem ?? "What followed this message stays in the earlier version of the conversation."}
        </span>
        <ComposerPrimitive.Cancel asChild>
          <Button small>Cancel</Button>
        </ComposerPrimitive.Cancel>
        <ComposerPrimitive.Send asChild disabled={problem !== null}>
          <Button small variant="primary" data-testid="edit-send">
            Send
          </Button>
        </ComposerPrimitive.Send>
      </div>
    </ComposerPrimitive.Root>
  );
}
