/** Composer for editing a message, shown in its place. Escape leaves the message as it is. */

import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/ui/Controls";
import styles from "./composer.module.css";
import { MessageInput } from "./MessageInput";
import { measureMessage } from "./messageLength";

interface EditComposerProps {
  text: string;
  /** What sending it does. */
  hint: string;
  action: string;
  onSend: (text: string) => void;
  onCancel: () => void;
}

export function EditComposer({ text: before, hint, action, onSend, onCancel }: EditComposerProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(before);
  const { problem } = measureMessage(text);
  const canSend = problem === null && text.trim() !== "";
  useEffect(() => {
    input.current?.focus();
    input.current?.setSelectionRange(before.length, before.length);
  }, [before]);
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (canSend) onSend(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    onCancel();
  };
  return (
    <form className={styles.editor} data-testid="edit-composer" onSubmit={send} onKeyDown={onKeyDown}>
      <MessageInput
        inputRef={input}
        className={styles.editorText}
        value={text}
        onType={setText}
        onEnter={send}
        aria-label="Edit your message"
        aria-invalid={problem !== null}
      />
      <div className={styles.editorFoot}>
        <span role="status">{problem ?? hint}</span>
        <Button small onClick={onCancel}>
          Cancel
        </Button>
        <Button small variant="primary" type="submit" disabled={!canSend} data-testid="edit-send">
          {action}
        </Button>
      </div>
    </form>
  );
}
