/** Form for the title, description, due date and time of a task. */

import { type FormEvent, type KeyboardEvent, useState } from "react";
import { localTimeZone } from "@/dates";
import { Button, Field, Input, TextArea } from "@/ui/Controls";
import type { Task, TaskFields } from "./queries";
import styles from "./tasks.module.css";

const MAX_TITLE = 200;
const MAX_DESCRIPTION = 4_000;

interface TaskFormProps {
  /** The initial values. */
  task: Pick<Task, "title" | "description" | "due_date" | "due_at" | "time_zone">;
  action: string;
  onSubmit: (fields: TaskFields) => void;
  onCancel: () => void;
  onTitleChange?: (title: string) => void;
}

export function TaskForm({ task, action, onSubmit, onCancel, onTitleChange }: TaskFormProps) {
  const [title, setTitle] = useState(task.title);
  const [description, setDescription] = useState(task.description ?? "");
  const [day, setDay] = useState(task.due_date ?? "");
  const [time, setTime] = useState(task.due_at?.slice(11, 16) ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!title.trim()) return;
    onSubmit({
      title: title.trim(),
      description: description.trim(),
      due_date: day || null,
      due_at: day && time ? `${day}T${time}` : null,
      time_zone: task.time_zone ?? localTimeZone(),
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    onCancel();
  };
  return (
    <form className={styles.form} onSubmit={submit} onKeyDown={onKeyDown}>
      <Input
        autoFocus
        aria-label="Title"
        placeholder="What is to be done?"
        value={title}
        maxLength={MAX_TITLE}
        required
        onChange={(event) => {
          setTitle(event.target.value);
          onTitleChange?.(event.target.value);
        }}
        data-testid="task-title"
      />
      <TextArea
        aria-label="Description"
        placeholder="Description"
        rows={2}
        value={description}
        maxLength={MAX_DESCRIPTION}
        onChange={(event) => setDescription(event.target.value)}
        data-testid="task-description"
      />
      <div className={styles.formFoot}>
        <Field label="Due">
          <Input
            type="date"
            value={day}
            onChange={(event) => setDay(event.target.value)}
            data-testid="task-day"
          />
        </Field>
        <Field label="Remind at">
          <Input
            type="time"
            value={time}
            disabled={!day}
            onChange={(event) => setTime(event.target.value)}
            data-testid="task-time"
          />
        </Field>
        <Button small onClick={onCancel}>
          Cancel
        </Button>
        <Button small variant="primary" type="submit" disabled={!title.trim()} data-testid="task-save">
          {action}
        </Button>
      </div>
    </form>
  );
}
