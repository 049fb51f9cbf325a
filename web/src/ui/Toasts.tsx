/** Short notices at the foot of the page, with an action such as Undo. */

import { X } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import styles from "./ui.module.css";

export interface Toast {
  text: string;
  action?: { label: string; run: () => void };
  /** How long it stays; an action deserves more. */
  forMs?: number;
}

interface Shown extends Toast {
  id: number;
}

const MAX_SHOWN = 3;
let next = 1;
let shown: readonly Shown[] = [];
const listeners = new Set<() => void>();

/** Shows a notice. It is announced, too. */
export function showToast(notice: Toast): void {
  set([...shown, { ...notice, id: next++ }].slice(-MAX_SHOWN));
}

/** Takes all notices away, e.g. because the user is another. */
export const clearToasts = (): void => set([]);

function set(notices: readonly Shown[]): void {
  shown = notices;
  for (const listener of listeners) listener();
}

const dismiss = (id: number): void => set(shown.filter((notice) => notice.id !== id));

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Where notices appear; once per page. */
export function Toasts() {
  const notices = useSyncExternalStore(subscribe, () => shown);
  return (
    <section className={styles.toasts} aria-label="Notices" aria-live="polite">
      {notices.map((notice) => (
        <ToastView key={notice.id} notice={notice} />
      ))}
    </section>
  );
}

function ToastView({ notice }: { notice: Shown }) {
  const { id, action } = notice;
  const forMs = notice.forMs ?? (action ? 10_000 : 5_000);
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), forMs);
    return () => clearTimeout(timer);
  }, [id, forMs]);
  return (
    <div className={styles.toast} data-testid="toast">
      <span className={styles.toastText}>{notice.text}</span>
      {action && (
        <button
          type="button"
          className={styles.toastAction}
          onClick={() => {
            dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className={styles.toastAction} aria-label="Dismiss" onClick={() => dismiss(id)}>
        <X size={16} aria-hidden />
      </button>
    </div>
  );
}
