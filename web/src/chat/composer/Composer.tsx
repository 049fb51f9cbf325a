/**
 * Composer for new messages. A message that is sent during an answer waits for its turn. Shows when a text is too long.
 */

import { ArrowUp, Square } from "lucide-react";
import {
  type ClipboardEvent,
  type FormEvent,
  memo,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { AttachButton } from "@/attachments/AttachButton";
import { DraftFiles } from "@/attachments/DraftFiles";
import { useAttachments } from "@/attachments/useAttachments";
import { useBrand } from "@/brand/brand";
import { useThread, useThreadRegistry } from "@/chat/thread/ThreadContext";
import { announce } from "@/ui/Announcer";
import { classNames } from "@/ui/Controls";
import { showToast } from "@/ui/Toasts";
import styles from "./composer.module.css";
import { MessageInput } from "./MessageInput";
import { MAX_CHARACTERS, MAX_PASTE, measureMessage } from "./messageLength";
import { useDraft } from "./useDraft";

type Input = RefObject<HTMLTextAreaElement | null>;

interface ComposerProps {
  conversationId: string | null;
  /** What the service is doing about the message that is being answered, if any. */
  answering: "no" | "yes" | "stopping";
  /** Whether a message sent now has to wait. */
  isBusy: boolean;
}

export const Composer = memo(function Composer({ conversationId, answering, isBusy }: ComposerProps) {
  const thread = useThread();
  const { name } = useBrand();
  const input = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState("");
  const lengthId = useId();
  const { characters, isNearLimit, problem } = measureMessage(text);
  useDraft(conversationId ?? "new", text, setText);
  useComposeRequests(input, setText);
  useFocusOnOpen(input);
  const attachments = useAttachments();
  const canSend = problem === null && text.trim() !== "" && !attachments.isUploading;
  const unsent = useRef(text);
  unsent.current = text;
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    // A form that is sent twice at once has no text the second time, though it is not rendered again yet.
    if (!canSend || unsent.current === "") return;
    unsent.current = "";
    thread.send(text, attachments.files);
    setText("");
    attachments.clear();
    if (isBusy) announce("Your message waits until those before it are answered.");
  };
  return (
    <div className={styles.container}>
      <form
        className={classNames(styles.composer, problem && styles.invalid)}
        onSubmit={send}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          attachments.add([...event.dataTransfer.files]);
        }}
      >
        <DraftFiles drafts={attachments.drafts} remove={attachments.remove} />
        <MessageInput
          inputRef={input}
          className={styles.input}
          value={text}
          onType={setText}
          onEnter={send}
          placeholder="Say what you need"
          aria-label="Message"
          aria-describedby={isNearLimit ? lengthId : undefined}
          aria-invalid={problem !== null}
          data-testid="composer"
          onPaste={(event) => {
            if (event.clipboardData.files.length > 0) {
              event.preventDefault();
              attachments.add([...event.clipboardData.files]);
            } else rejectHugePaste(event);
          }}
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
          <span className={styles.buttons}>
            <AttachButton onFiles={attachments.add} />
            {answering !== "no" && <StopButton isStopping={answering === "stopping"} input={input} />}
            {(answering === "no" || text !== "") && <SendButton isDisabled={!canSend} isQueued={isBusy} />}
          </span>
        </div>
      </form>
      <p className={styles.hint}>
        {name} can be wrong. Open the badge under an answer to see how it was understood.
      </p>
    </div>
  );
});

function SendButton({ isDisabled, isQueued }: { isDisabled: boolean; isQueued: boolean }) {
  const label = isQueued ? "Send after this answer" : "Send";
  return (
    <button
      type="submit"
      className={styles.send}
      aria-label={label}
      title={`${label} (Enter)`}
      disabled={isDisabled}
      data-testid="send"
    >
      <ArrowUp size={18} aria-hidden />
    </button>
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
      className={classNames(styles.send, styles.stop)}
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
function useComposeRequests(input: Input, setText: (text: string) => void): void {
  const threads = useThreadRegistry();
  const thread = useThread();
  useEffect(
    () =>
      threads.registerComposer((text, { send }) => {
        if (send) thread.send(text);
        else setText(text);
        input.current?.focus();
      }),
    [threads, thread, input, setText],
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
