import { expect, test } from "vitest";
import type { Schemas } from "@/api/client";
import { sortByCompletion, sortByDueDate } from "@/tasks/sortTasks";

type Task = Schemas["TaskView"];

const task = (title: string, given: Partial<Task> = {}): Task =>
  ({ id: title, title, created_at: "2026-05-01T00:00:00Z", updated_at: "", ...given }) as Task;

const titles = (tasks: Task[]) => tasks.map(({ title }) => title).join(" ");

test("what is due first is first; what has no day follows as it was made", () => {
  const tasks = [
    task("second-undated", { created_at: "2026-05-02T00:00:00Z" }),
    task("later", { due_date: "2026-06-01" }),
    task("first-undated"),
    task("in-the-evening", { due_date: "2026-04-01", due_at: "2026-04-01T18:00" }),
    task("in-the-morning", { due_date: "2026-04-01", due_at: "2026-04-01T09:00" }),
    task("overdue", { due_date: "2026-04-01" }),
  ];
  const sorted = "overdue in-the-morning in-the-evening later first-undated second-undated";
  expect(titles(sortByDueDate(tasks))).toBe(sorted);
});

test("what was done last is first", () => {
  const tasks = [
    task("before", { completed_at: "2026-05-02T00:00:00Z" }),
    task("last", { completed_at: "2026-05-03T00:00:00Z" }),
  ];
  expect(titles(sortByCompletion(tasks))).toBe("last before");
});
