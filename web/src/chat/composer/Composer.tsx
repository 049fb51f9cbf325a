/** Composer for new messages. Enter sends, Shift+Enter starts a new line. Shows when a text is too long. */

import { ComposerPrimitive, useAui, useAuiState } from "@assistant-ui/react";
import { ArrowUp, Square } from "lucide-react";
import { type ClipboardEvent, type RefObject, useEffect, useId, useRef } from "react";
import { useThread, useThreadRegistry } from "@/chat/thread/ThreadContext";
import type { ThreadState } from "@/chat/thread/thread";
import { classNames } from "@/ui/Controls";
import { showToast } from "@/ui/Toasts";
import styles from "./composer.module.css";
import { MAX_CHARACTERS, MAX_PASTE, measureMessage } from "./messageLength";
import { useDraft } from "./useDraft";

type Input = RefObject<HTMLTextAreaElement | null>;

export function Composer({ state }: { state: ThreadState }) {
  const { active } = state;
  const input = useRef<HTMLTextAreaElement>(null);
  const text = useAuiState((aui) => aui.composer.text);
  const aui = useAui();
  const lengthId = useId();
  const { characters, isNearLimit, problem } = measureMessage(text);
  useDraft(state.conversationId ?? "new", text, (draft) => aui.composer.setText(draft));
  useComposeRequests(input);
  useFocusOnOpen(input);
  return (
    <div className={styles.container}>
      <ComposerPrimitive.Root
        className={classNames(styles.composer, problem && styles.invalid)}
        onSubmit={(event) => problem && event.preventDefault()}
      >
        <ComposerPrimitive.Input
          ref={input}
          className={styles.input}
          placeholder="Say what you need"
          aria-label="Message"
          aria-describedby={isNearLimit ? lengthId : undefined}
          aria-invalid={problem !== null}
          data-testid="composer"
          rows={1}
          maxRows={10}
          submitMode={problem ? "none" : "enter"}
          cancelOnEscape={false}
          addAttachmentOnPaste={false}
          unstable_focusOnRunStart={false}
          unstable_focusOnScrollToBottom={false}
          onPaste={rejectHugePaste}
        />
        <div className={styles.footer}>
          <span
            id={lengthId}
            className={classNames(styles.counter, problem && styles.tooLong)}
            role={problem ? "alert" : undefined}
            data-testid="counter"
          >
            {isNearLimit && `${characters.toLocaleString("en")} / ${MAX_CHARACTERS.toLocaleString("en")}`}
            {problem && `: ${problem}`}
          </span>
          {active ? (
            <StopButton isStopping={active.isStopping} input={input} />
          ) : (
            <SendButton isDisabled={problem !== null} />
          )}
        </div>
      </ComposerPrimitive.Root>
      <p className={styles.hint}>
        OmniForge can be wrong. Open the badge under an answer to see how it was understood.
      </p>
    </div>
  );
}

function SendButton({ isDisabled }: { isDisabled: boolean }) {
  return (
    <ComposerPrimitive.Send asChild disabled={isDisabled}>
      <button type="submit" className={styles.send} aria-label="Send" title="Send (Enter)" data-testid="send">
        <ArrowUp size={18} aria-hidden />
      </button>
    </ComposerPrimitive.Send>
  );
}

function StopButton({ isStopping, input }: { isStopping: boolean; input: Input }) {
  const thread = useThread();
  const stop = () => {
    thread.stop();
    // The button gets disabled and would lose the focus.
    input.current?.focus();
  };
  return (
    <button
      type="button"
      className={styles.send}
      aria-label={isStopping ? "Stopping" : "Stop answering"}
      title="Stop answering"
      disabled={isStopping}
      onClick={stop}
      data-testid="stop"
    >
      <Square size={13} fill="currentColor" aria-hidden />
    </button>
  );
}

/** Lets other parts of the page fill the composer, or send a text from it. */
function useComposeRequests(input: Input): void {
  const threads = useThreadRegistry();
  const thread = useThread();
  const aui = useAui();
  useEffect(
    () =>
      threads.registerComposer((text, { send }) => {
        if (send) thread.send(text);
        else aui.composer.setText(text);
        input.current?.focus();
      }),
    [threads, thread, aui, input],
  );
}

/** Focuses the composer, except on touch screens, where a keyboard would cover half the page. */
function useFocusOnOpen(input: Input): void {
  useEffect(() => {
    if (window.matchMedia("(pointer: fine)").matches) input.current?.focus();
  }, [input]);
}

function rejectHugePaste(event: ClipboardEvent): void {
  const pasted = event.clipboardData.getData("text").length;
  if (pasted <= MAX_PASTE) return;
  event.preventDefault();
  const limit = MAX_CHARACTERS.toLocaleString("en");
  showToast({
    text: `That text has ${pasted.toLocaleString("en")} characters; a message can have ${limit}.`,
  });
}
