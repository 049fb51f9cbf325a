/** The user's tasks: open ones by the day they are due, and what was done. */

import { ListChecks } from "lucide-react";
import { useRef, useState } from "react";
import { ListEmpty, ListError, ListLoading, LoadMore } from "@/lists/ListPlaceholders";
import { classNames } from "@/ui/Controls";
import { showToast } from "@/ui/Toasts";
import { NewTask } from "./NewTask";
import { type Task, useCompleteTask, useDeleteTask, useRestoreTask, useTasks } from "./queries";
import { sortByCompletion, sortByDueDate } from "./sortTasks";
import { TaskItem } from "./TaskItem";
import styles from "./tasks.module.css";

export function TasksPanel() {
  const [completed, setCompleted] = useState(false);
  return (
    <div className={styles.panel}>
      <NewTask onAdd={() => setCompleted(false)} />
      <StatusFilter completed={completed} choose={setCompleted} />
      <TaskList key={String(completed)} completed={completed} />
    </div>
  );
}

function StatusFilter({ completed, choose }: { completed: boolean; choose: (completed: boolean) => void }) {
  return (
    <fieldset className={styles.filter}>
      <legend className="visually-hidden">Which tasks</legend>
      {[false, true].map((each) => (
        <label key={String(each)} className={classNames(completed === each && styles.chosen)}>
          <input
            type="radio"
            name="tasks"
            checked={completed === each}
            onChange={() => choose(each)}
            data-testid={each ? "tasks-done" : "tasks-open"}
          />
          {each ? "Done" : "Open"}
        </label>
      ))}
    </fieldset>
  );
}

function TaskList({ completed }: { completed: boolean }) {
  const tasks = useTasks(completed);
  const list = useRef<HTMLUListElement>(null);
  const restore = useRestoreTask();
  const complete = useCompleteTask(({ task, completed: isDone, isUndo }) => {
    if (isUndo) return;
    const undo = () => complete.mutate({ task, completed: !isDone, isUndo: true });
    const text = `“${short(task.title)}” is ${isDone ? "done" : "open again"}.`;
    showToast({ text, action: { label: "Undo", run: undo } });
  });
  const remove = useDeleteTask((task) =>
    showToast({
      text: `“${short(task.title)}” is deleted.`,
      action: { label: "Undo", run: () => restore.mutate(task) },
    }),
  );
  if (tasks.isPending) return <ListLoading what="tasks" height={44} />;
  if (!tasks.items)
    return <ListError what="tasks" error={tasks.error} onRetry={() => void tasks.refetch()} />;
  if (tasks.items.length === 0) return completed ? <NoDoneTasks /> : <NoOpenTasks />;
  const shown = completed ? sortByCompletion(tasks.items) : sortByDueDate(tasks.items);
  return (
    <>
      <ul ref={list} className={styles.list} aria-label={completed ? "Done tasks" : "Open tasks"}>
        {shown.map((task, index) => (
          <TaskItem
            key={task.id}
            task={task}
            onComplete={() => {
              moveFocusFrom(list.current, index);
              complete.mutate({ task, completed: !completed });
            }}
            onDelete={() => {
              moveFocusFrom(list.current, index);
              remove.mutate(task);
            }}
          />
        ))}
      </ul>
      <LoadMore list={tasks} />
    </>
  );
}

const NoOpenTasks = () => (
  <ListEmpty icon={<ListChecks size={28} aria-hidden />} title="Nothing to do">
    <p>Add a task above, or tell the chat what you must not forget.</p>
  </ListEmpty>
);

const NoDoneTasks = () => (
  <ListEmpty icon={<ListChecks size={28} aria-hidden />} title="Nothing done yet">
    <p>What you complete is found here.</p>
  </ListEmpty>
);

/** Keeps the keyboard in the list when the item with the focus leaves it. */
function moveFocusFrom(list: HTMLUListElement | null, index: number): void {
  const boxes = list?.querySelectorAll<HTMLInputElement>("input[type=checkbox]");
  (boxes?.[index + 1] ?? boxes?.[index - 1])?.focus();
}

const MAX_SHORT = 40;

function short(title: Task["title"]): string {
  return title.length > MAX_SHORT ? `${title.slice(0, MAX_SHORT).trimEnd()}…` : title;
}
