/** Modal dialog, built on the browser's `<dialog>`: it traps focus, closes on Escape and Back, and restores focus. */

import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "./Controls";
import { closeOnBack } from "./dialogHistory";
import styles from "./ui.module.css";

interface DialogProps {
  title: string;
  onClose: () => void;
  children?: ReactNode;
  testId?: string;
}

/** Open while it is rendered. Focuses the element marked `data-first`, or else the first control. */
export function Dialog({ title, onClose, children, testId }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const latest = useRef(onClose);
  latest.current = onClose;
  useEffect(() => closeOnBack(() => latest.current()), []);
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it through `onCancel`
    <dialog
      ref={ref}
      className={styles.dialog}
      aria-labelledby={titleId}
      data-testid={testId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current && isOutside(event, ref.current)) onClose();
      }}
    >
      <h2 id={titleId} className={styles.dialogTitle}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}

export const DialogText = ({ children }: { children: ReactNode }) => (
  <p className={styles.dialogText}>{children}</p>
);

export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={styles.dialogActions}>{children}</div>
);

/** Asks for confirmation before something with consequences. */
export function ConfirmDialog(props: {
  title: string;
  text: string;
  action: string;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog title={props.title} onClose={props.onClose} testId="confirm">
      <DialogText>{props.text}</DialogText>
      <DialogActions>
        <Button onClick={props.onClose}>Cancel</Button>
        <Button
          variant="danger"
          onClick={() => {
            props.onConfirm();
            props.onClose();
          }}
        >
          {props.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function isOutside(event: { clientX: number; clientY: number }, dialog: HTMLDialogElement): boolean {
  const box = dialog.getBoundingClientRect();
  const { clientX: x, clientY: y } = event;
  return x < box.left || x > box.right || y < box.top || y > box.bottom;
}
