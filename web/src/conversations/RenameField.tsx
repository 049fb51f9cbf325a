/** The name of a conversation while it is being changed: Enter or leaving keeps it, Escape does not. */

import { useEffect, useRef, useState } from "react";
import { classNames } from "@/ui/Controls";
import styles from "./conversations.module.css";

/** Source: `PATCH /v1/conversations/{id}`, which refuses more. */
const MAX_TITLE = 500;

interface RenameFieldProps {
  name: string;
  onRename: (name: string) => void;
  /** Called when the field is done with, renamed or not; by a key: focus belongs to where it was. */
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
  const close = (isKept: boolean, byKey: boolean) => {
    // Closing by a key takes the field away, which is leaving it, too.
    if (isDone.current) return;
    isDone.current = true;
    const wanted = text.trim().replace(/\s+/g, " ");
    if (isKept && wanted && wanted !== name) onRename(wanted);
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
        // Enter that ends a composition (Japanese, Chinese, …) is part of writing.
        if (event.nativeEvent.isComposing) return;
        if (event.key !== "Enter" && event.key !== "Escape") return;
        event.preventDefault();
        close(event.key === "Enter", true);
      }}
    />
  );
}
