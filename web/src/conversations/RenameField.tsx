/** Input for renaming a conversation. Enter and blur save the name, Escape cancels. */

import { useEffect, useRef, useState } from "react";
import { classNames } from "@/ui/Controls";
import styles from "./conversations.module.css";

/** The limit of `PATCH /v1/conversations/{id}`. */
const MAX_TITLE = 500;

interface RenameFieldProps {
  name: string;
  onRename: (name: string) => void;
  /** Called when editing ends. `byKey`: it ended by a key, so focus should return to where it was. */
  onClose: (byKey: boolean) => void;
  className?: string;
}

export function RenameField({ name, onRename, onClose, className }: RenameFieldProps) {
  const [text, setText] = useState(name);
  const input = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const close = (shouldSave: boolean, byKey: boolean) => {
    // Closing by a key removes the field, which also blurs it.
    if (isDone.current) return;
    isDone.current = true;
    const newName = text.trim().replace(/\s+/g, " ");
    if (shouldSave && newName && newName !== name) onRename(newName);
    onClose(byKey);
  };
  return (
    <input
      ref={input}
      className={classNames(styles.rename, className)}
      aria-label="Name of the conversation"
      data-testid="rename-input"
      value={text}
      maxLength={MAX_TITLE}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => close(true, false)}
      onKeyDown={(event) => {
        event.stopPropagation();
        // In an input method editor, Enter confirms the composition.
        if (event.nativeEvent.isComposing) return;
        if (event.key !== "Enter" && event.key !== "Escape") return;
        event.preventDefault();
        close(event.key === "Enter", true);
      }}
    />
  );
}
