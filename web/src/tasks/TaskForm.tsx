/** Form for the title, description and due date of a task. */

import { type FormEvent, type KeyboardEvent, useState } from "react";
import { Button, Field, Input, TextArea } from "@/ui/Controls";
import type { Task, TaskFields } from "./queries";
import styles from "./tasks.module.css";

const MAX_TITLE = 200;
const MAX_DESCRIPTION = 4_000;

interface TaskFormProps {
  /** The initial values. */
  task: Pick<Task, "title" | "description" | "due_date">;
  action: string;
  onSubmit: (fields: TaskFields) => void;
  onCancel: () => void;
  onTitleChange?: (title: string) => void;
}

export function TaskForm({ task, action, onSubmit, onCancel, onTitleChange }: TaskFormProps) {
  const [title, setTitle] = useState(task.title);
  const [description, setDescription] = useState(task.description ?? "");
  const [day, setDay] = useState(task.due_date ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!title.trim()) return;
    onSubmit({ title: title.trim(), description: description.trim(), due_date: day || null });
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
