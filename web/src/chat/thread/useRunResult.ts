/** Results of runs that were started in a conversation come into it later, from elsewhere: they are looked for. */

import { useEffect } from "react";
import { announce } from "@/ui/Announcer";
import type { Thread, ThreadState } from "./thread";
import type { ThreadItem } from "./threadItems";

/** How long a run may take, and some more. */
const GIVE_UP_MS = 330_000;
const LOOK_AFTER_MS = [1_000, 2_000, 3_000, 5_000, 8_000] as const;
const LOOK_EVERY_MS = 10_000;

const uses = (item: ThreadItem, tool: string): boolean =>
  item.metadata?.toolCalls.some(({ name, ok }) => name === tool && ok) ?? false;

/** The answer that started a run whose result is not there yet; null: nothing is awaited. Pure. */
export function findPendingRun(items: readonly ThreadItem[]): ThreadItem | null {
  const index = items.findLastIndex((item) => uses(item, "run_agent"));
  const later = items.slice(index + 1);
  // A result is the one answer that nobody asked for.
  const isThere = later.some((item, place) => item.role === "assistant" && later[place - 1]?.role !== "user");
  const started = isThere || later.some((item) => uses(item, "cancel_run")) ? undefined : items[index];
  return started && started.messageId !== null ? started : null;
}

/** Reads the conversation again, less and less often, until the result it waits for is there. */
export function useRunResult(thread: Thread, state: ThreadState): void {
  const started = findPendingRun(state.items);
  const [id, at] = [started?.id, started?.createdAt];
  useEffect(() => {
    if (id === undefined || at === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let looks = 0;
    const later = () => {
      if (Math.abs(Date.now() - Date.parse(at)) > GIVE_UP_MS) return;
      timer = setTimeout(look, LOOK_AFTER_MS[looks++] ?? LOOK_EVERY_MS);
    };
    const look = async () => {
      if (document.visibilityState === "visible") await thread.refresh();
      if (findPendingRun(thread.snapshot().items)?.id !== id) announce("The result is there.");
      else if (timer !== undefined) later();
    };
    later();
    return () => {
      clearTimeout(timer);
      timer = undefined;
    };
  }, [thread, id, at]);
}
