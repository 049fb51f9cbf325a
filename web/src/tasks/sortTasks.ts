/** Sorts tasks for display. */

import type { Schemas } from "@/api/client";

type Task = Schemas["TaskView"];

/** Earliest due date first, and of a day what has no time first. Tasks without one follow, oldest first. */
export function sortByDueDate(tasks: readonly Task[]): Task[] {
  return [...tasks].sort(
    (one, other) =>
      Number(!one.due_date) - Number(!other.due_date) ||
      dueText(one).localeCompare(dueText(other)) ||
      one.created_at.localeCompare(other.created_at),
  );
}

/** Last completed first. */
export function sortByCompletion(tasks: readonly Task[]): Task[] {
  return [...tasks].sort((one, other) => (other.completed_at ?? "").localeCompare(one.completed_at ?? ""));
}

const dueText = (task: Task): string => task.due_at ?? task.due_date ?? "";
