/** Composer for editing a message, shown in its place. */

import { ComposerPrimitive, useAuiState } from "@assistant-ui/react";
import { Button } from "@/ui/Controls";
import styles from "./composer.module.css";
import { measureMessage } from "./messageLength";

export function EditComposer() {
  const text = useAuiState((state) => state.message.composer.text);
  const { problem } = measureMessage(text);
  return (
    <ComposerPrimitive.Root
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
