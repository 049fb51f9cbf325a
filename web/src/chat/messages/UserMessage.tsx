/** A message of the user, with its actions. */

import { ActionBarPrimitive, useAuiState } from "@assistant-ui/react";
import { Check, Copy, Pencil } from "lucide-react";
import { useClipboard } from "@/chat/clipboard";
import { useThreadItem } from "@/chat/thread/assistantRuntime";
import { IconButton } from "@/ui/Controls";
import styles from "./messages.module.css";
import { SecretBadge } from "./SecretBadge";

export function UserMessage() {
  const item = useThreadItem();
  const [copied, copy] = useClipboard();
  const isBusy = useAuiState((state) => state.thread.isRunning);
  if (item.deleted) return <p className={styles.deleted}>You took this message back.</p>;
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
