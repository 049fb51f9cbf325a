/**
 * The browser's Back button closes dialogs. While any is open, the history has one more entry, which Back leaves.
 */

const MARK = "omniforge-dialog";
const closers: (() => void)[] = [];

const isMarked = (): boolean => (window.history.state as { mark?: unknown } | null)?.mark === MARK;

function mark(): void {
  if (!isMarked()) window.history.pushState({ mark: MARK }, "", window.location.href);
}

function onBack(): void {
  closers.at(-1)?.();
}

/** Has Back close a dialog. Returns a function to call when the dialog is closed. */
export function closeOnBack(close: () => void): () => void {
  if (closers.length === 0) window.addEventListener("popstate", onBack);
  closers.push(close);
  mark();
  return () => {
    const place = closers.lastIndexOf(close);
    if (place >= 0) closers.splice(place, 1);
    // Another dialog may open at the same moment, and goes on with the same entry.
    setTimeout(() => {
      if (closers.length > 0) {
        mark();
        return;
      }
      window.removeEventListener("popstate", onBack);
      if (isMarked()) window.history.back();
    });
  };
}
