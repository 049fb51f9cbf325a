/** Toasts: short notices at the bottom of the page, with an optional action such as Undo. */

import { X } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import styles from "./ui.module.css";

interface Toast {
  text: string;
  action?: { label: string; run: () => void };
  /** How long the toast stays; longer by default if it has an action. */
  durationMs?: number;
}

interface ShownToast extends Toast {
  id: number;
}

const MAX_SHOWN = 3;
let nextId = 1;
let shown: readonly ShownToast[] = [];
const listeners = new Set<() => void>();

/** Shows a toast, and announces it to screen readers. */
export function showToast(notice: Toast): void {
  set([...shown, { ...notice, id: nextId++ }].slice(-MAX_SHOWN));
}

/** Removes all toasts, for example when the user changes. */
export const clearToasts = (): void => set([]);

function set(notices: readonly ShownToast[]): void {
  shown = notices;
  for (const listener of listeners) listener();
}

const dismiss = (id: number): void => set(shown.filter((notice) => notice.id !== id));

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The container of the toasts; once per page. */
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

function ToastView({ notice }: { notice: ShownToast }) {
  const { id, action } = notice;
  const durationMs = notice.durationMs ?? (action ? 10_000 : 5_000);
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), durationMs);
    return () => clearTimeout(timer);
  }, [id, durationMs]);
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
