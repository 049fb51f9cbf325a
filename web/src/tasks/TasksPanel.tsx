/** Tasks panel: open tasks sorted by due date, or done ones. */

import { ListChecks } from "lucide-react";
import { useRef, useState } from "react";
import { ListEmpty } from "@/lists/ListPlaceholders";
import { ListStates } from "@/lists/ListStates";
import { RecentlyDeleted } from "@/lists/RecentlyDeleted";
import { classNames } from "@/ui/Controls";
import { showToast } from "@/ui/Toasts";
import { NewTask } from "./NewTask";
import {
  type Task,
  useCompleteTask,
  useDeletedTasks,
  useDeleteTask,
  useRestoreTask,
  useTasks,
} from "./queries";
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
      <DeletedTasks />
    </div>
  );
}

function DeletedTasks() {
  const restore = useRestoreTask();
  return (
    <RecentlyDeleted
      what="tasks"
      useDeleted={useDeletedTasks}
      nameOf={(task) => task.title}
      onRestore={(task) => restore.mutate(task)}
    />
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
    if (isDone && task.repeat) {
      showToast({ text: `“${shortTitle(task.title)}” is done, until its next time.` });
      return;
    }
    const undo = () => complete.mutate({ task, completed: !isDone, isUndo: true });
    const text = `“${shortTitle(task.title)}” is ${isDone ? "done" : "open again"}.`;
    showToast({ text, action: { label: "Undo", run: undo } });
  });
  const remove = useDeleteTask((task) =>
    showToast({
      text: `“${shortTitle(task.title)}” is deleted.`,
      action: { label: "Undo", run: () => restore.mutate(task) },
    }),
  );
  const sorted = completed ? sortByCompletion : sortByDueDate;
  return (
    <ListStates list={tasks} what="tasks" empty={completed ? <NoDoneTasks /> : <NoOpenTasks />}>
      {(items) => (
        <ul ref={list} className={styles.list} aria-label={completed ? "Done tasks" : "Open tasks"}>
          {sorted(items).map((task, index) => (
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
      )}
    </ListStates>
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

/** Moves focus to a neighbour when the item that has it leaves the list. */
function moveFocusFrom(list: HTMLUListElement | null, index: number): void {
  const boxes = list?.querySelectorAll<HTMLInputElement>("input[type=checkbox]");
  (boxes?.[index + 1] ?? boxes?.[index - 1])?.focus();
}

const MAX_CHARACTERS = 40;

function shortTitle(title: Task["title"]): string {
  return title.length > MAX_CHARACTERS ? `${title.slice(0, MAX_CHARACTERS).trimEnd()}…` : title;
}
