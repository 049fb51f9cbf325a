/** One task of the list, with its checkbox, due date and actions. */

import { CalendarDays, Pencil, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { isoDay } from "@/dates";
import { useToday } from "@/hooks/useToday";
import { Badge, classNames, IconButton } from "@/ui/Controls";
import { dueStatus, dueTime, type Urgency } from "./dueDate";
import { isUnsaved, type Task, useEditTask } from "./queries";
import { TaskForm } from "./TaskForm";
import styles from "./tasks.module.css";

interface TaskItemProps {
  task: Task;
  /** Completes or reopens it. */
  onComplete: () => void;
  onDelete: () => void;
}

export function TaskItem({ task, onComplete, onDelete }: TaskItemProps) {
  const [isEditing, setEditing] = useState(false);
  const save = useEditTask(task);
  const editButton = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) editButton.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  if (isEditing)
    return (
      <li className={styles.editing} data-testid="task-item">
        <TaskForm
          task={task}
          action="Save"
          onSubmit={(fields) => {
            save.mutate(fields);
            setEditing(false);
          }}
          onCancel={() => setEditing(false)}
        />
      </li>
    );
  const isPending = isUnsaved(task);
  return (
    <li
      className={classNames(styles.task, task.completed && styles.done)}
      aria-busy={isPending}
      data-testid="task-item"
    >
      <input
        type="checkbox"
        className={styles.check}
        checked={Boolean(task.completed)}
        disabled={isPending}
        aria-label={task.completed ? `Reopen: ${task.title}` : `Complete: ${task.title}`}
        onChange={onComplete}
        data-testid="task-complete"
      />
      <div className={styles.text}>
        <span className={styles.title}>{task.title}</span>
        {task.description && <p className={styles.description}>{task.description}</p>}
        <DueBadge task={task} />
      </div>
      <div className={styles.itemActions}>
        <IconButton
          ref={editButton}
          small
          label={`Edit: ${task.title}`}
          disabled={isPending}
          onClick={() => setEditing(true)}
          data-testid="task-edit"
        >
          <Pencil size={15} aria-hidden />
        </IconButton>
        <IconButton
          small
          label={`Delete: ${task.title}`}
          disabled={isPending}
          onClick={onDelete}
          data-testid="task-delete"
        >
          <Trash2 size={15} aria-hidden />
        </IconButton>
      </div>
    </li>
  );
}

const TONES: Record<Urgency, "bad" | "warn" | undefined> = {
  overdue: "bad",
  today: "warn",
  soon: undefined,
  later: undefined,
};

function DueBadge({ task }: { task: Task }) {
  const today = isoDay(useToday());
  if (!task.due_date || task.completed) return null;
  const { label, urgency } = dueStatus(task.due_date, today);
  const time = task.due_at ? ` at ${dueTime(task.due_at, task.time_zone)}` : "";
  const tone = TONES[urgency];
  return (
    <Badge {...(tone ? { tone } : {})} data-testid="task-due" data-urgency={urgency}>
      <CalendarDays size={13} aria-hidden /> {label}
      {time}
      {task.repeat && ", repeats"}
    </Badge>
  );
}
