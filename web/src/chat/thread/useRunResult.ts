/** Polls a conversation for the result of an agent run that was started in it. */

import { useEffect } from "react";
import { announce } from "@/ui/Announcer";
import type { Thread, ThreadState } from "./thread";
import type { ThreadItem } from "./threadItems";

/** The longest time a run may take, with a margin. */
const GIVE_UP_MS = 330_000;
const FIRST_DELAYS_MS = [1_000, 2_000, 3_000, 5_000, 8_000] as const;
const POLL_INTERVAL_MS = 10_000;

const usesTool = (item: ThreadItem, tool: string): boolean =>
  item.metadata?.toolCalls.some(({ name, ok }) => name === tool && ok) ?? false;

/** The answer that started a run whose result is not there yet, or null. Pure. */
export function findPendingRun(items: readonly ThreadItem[]): ThreadItem | null {
  const index = items.findLastIndex((item) => usesTool(item, "run_agent"));
  const later = items.slice(index + 1);
  // A result is the only kind of answer without a user message before it.
  const hasResult = later.some(
    (item, position) => item.role === "assistant" && later[position - 1]?.role !== "user",
  );
  const started = hasResult || later.some((item) => usesTool(item, "cancel_run")) ? undefined : items[index];
  return started && started.messageId !== null ? started : null;
}

/** Refreshes the thread, less and less often, until the pending result is there. */
export function useRunResult(thread: Thread, state: ThreadState): void {
  const started = findPendingRun(state.items);
  const [id, at] = [started?.id, started?.createdAt];
  useEffect(() => {
    if (id === undefined || at === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let polls = 0;
    const schedule = () => {
      if (Math.abs(Date.now() - Date.parse(at)) > GIVE_UP_MS) return;
      timer = setTimeout(poll, FIRST_DELAYS_MS[polls++] ?? POLL_INTERVAL_MS);
    };
    const poll = async () => {
      if (document.visibilityState === "visible") await thread.refresh();
      if (findPendingRun(thread.snapshot().items)?.id !== id) announce("The result is there.");
      else if (timer !== undefined) schedule();
    };
    schedule();
    return () => {
      clearTimeout(timer);
      timer = undefined;
    };
  }, [thread, id, at]);
}
