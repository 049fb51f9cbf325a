/** The order in which tasks are shown. */

import type { Schemas } from "@/api/client";

type Task = Schemas["TaskView"];

/** Open tasks: what is due first, first; those without a day follow as they were made. */
export function sortByDueDate(tasks: readonly Task[]): Task[] {
  return [...tasks].sort(
    (one, other) =>
      Number(!one.due_date) - Number(!other.due_date) ||
      (one.due_date ?? "").localeCompare(other.due_date ?? "") ||
      one.created_at.localeCompare(other.created_at),
  );
}

/** Done tasks: what was done last, first. */
export function sortByCompletion(tasks: readonly Task[]): Task[] {
  return [...tasks].sort((one, other) => (other.completed_at ?? "").localeCompare(one.completed_at ?? ""));
}
