/** How navigation is written into the browser's history, so that Back undoes one step of the user's each time. */

import type { AroundNavHandler } from "wouter";
import { afterSteps, goBack, isDialogEntry } from "@/ui/dialogHistory";

const PANEL = "panel";

/** The number of entries that the open panel added one after the other, up to the current entry; 0 if unknown. */
const panelDepth = (): number => (window.history.state as { panelDepth?: number } | null)?.panelDepth ?? 0;

/** Navigates. What is opened from a dialog takes the place of the dialog's entry. */
export const navigateWithHistory: AroundNavHandler = (navigate, to, options) =>
  afterSteps(() => {
    const isReplaced = options?.replace || isDialogEntry();
    const isPushed = !options?.replace || isDialogEntry();
    const state = { panelDepth: depthAt(new URL(to, window.location.href), isPushed) };
    navigate(to, { ...options, replace: isReplaced, state });
  });

function depthAt(target: URL, isPushed: boolean): number {
  const here = new URL(window.location.href);
  if (!target.searchParams.has(PANEL) || target.pathname !== here.pathname) return 0;
  if (!here.searchParams.has(PANEL)) return isPushed ? 1 : 0;
  return panelDepth() === 0 ? 0 : panelDepth() + (isPushed ? 1 : 0);
}

/** Goes back to where the panel was opened. Returns false if the history does not tell where that was. */
export function leavePanel(): boolean {
  const depth = panelDepth();
  if (depth > 0) goBack(depth + (isDialogEntry() ? 1 : 0));
  return depth > 0;
}
