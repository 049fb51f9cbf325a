/** Text field for a message, which grows with its text. Enter sends; Shift+Enter, and Enter on a phone, break the line. */

import { type ComponentProps, type KeyboardEvent, type RefObject, useLayoutEffect } from "react";

interface MessageInputProps extends Omit<ComponentProps<"textarea">, "onChange" | "ref"> {
  inputRef: RefObject<HTMLTextAreaElement | null>;
  value: string;
  onType: (text: string) => void;
  onEnter: () => void;
}

/** The browser grows the field by itself. */
const isSizedByStyles = typeof CSS !== "undefined" && CSS.supports("field-sizing", "content");

export function MessageInput({ inputRef, value, onType, onEnter, ...rest }: MessageInputProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const input = inputRef.current;
    if (isSizedByStyles || !input) return;
    input.style.height = "auto";
    input.style.height = `${input.scrollHeight}px`;
  }, [inputRef, value]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    onEnter();
  };
  return (
    <textarea
      ref={inputRef}
      dir="auto"
      rows={1}
      value={value}
      onChange={(event) => onType(event.target.value)}
      onKeyDown={onKeyDown}
      {...rest}
    />
  );
}

/** A phone's keyboard has no Shift+Enter, and its users have the button under their thumb. */
function isSendKey({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
  if (key !== "Enter" || shiftKey || nativeEvent.isComposing) return false;
  return !window.matchMedia("(hover: none) and (pointer: coarse)").matches;
}
