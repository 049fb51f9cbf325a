/**
 * The browser's Back button closes dialogs. While any is open, the history has one more entry, which Back leaves.
 */

const MARK = "omniforge-dialog";
/** A step back takes effect a moment later. If it never does, nothing waits for longer than this. */
const STEP_MS = 1_000;
const closers: (() => void)[] = [];
let isListening = false;
/** What waits until a step back that the page makes itself has taken effect; null if none is under way. */
let waiting: (() => void)[] | null = null;

/** Whether the current entry of the history is the one that a dialog added. */
export const isDialogEntry = (): boolean =>
  (window.history.state as { mark?: unknown } | null)?.mark === MARK;

function mark(): void {
  if (waiting || closers.length === 0 || isDialogEntry()) return;
  window.history.pushState({ ...window.history.state, mark: MARK }, "", window.location.href);
}

function onPop(): void {
  if (waiting) settle();
  else closers.at(-1)?.();
}

function settle(): void {
  const works = waiting ?? [];
  waiting = null;
  for (const work of works) work();
  mark();
}

/** Goes back by a number of entries, without closing anything. */
export function goBack(entries: number): void {
  listen();
  const works: (() => void)[] = [];
  waiting = works;
  setTimeout(() => {
    if (waiting === works) settle();
  }, STEP_MS);
  window.history.go(-entries);
}

/** Runs the work at once, or after the steps back that are under way, which would undo it. */
export function afterSteps(work: () => void): void {
  if (waiting) waiting.push(work);
  else work();
}

/** Has Back close a dialog. Returns a function to call when the dialog is closed. */
export function closeOnBack(close: () => void): () => void {
  listen();
  closers.push(close);
  mark();
  return () => {
    const place = closers.lastIndexOf(close);
    if (place >= 0) closers.splice(place, 1);
    // Another dialog may open at the same moment, and goes on with the same entry.
    setTimeout(() => {
      if (closers.length > 0) mark();
      else if (!waiting && isDialogEntry()) goBack(1);
    });
  };
}

function listen(): void {
  if (!isListening) window.addEventListener("popstate", onPop);
  isListening = true;
}
