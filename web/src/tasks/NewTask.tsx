/** Form for adding tasks. It stays open for the next one. */

import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { announce } from "@/ui/Announcer";
import { type TaskFields, useAddTask } from "./queries";
import { TaskForm } from "./TaskForm";
import styles from "./tasks.module.css";

const EMPTY: TaskFields = { title: "", description: "", due_date: null, due_at: null, time_zone: null };

interface Draft {
  fields: TaskFields;
  /** Numbers the forms, so that each starts with its own state. */
  number: number;
}

export function NewTask({ onAdd }: { onAdd: () => void }) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const openForm = (fields: TaskFields) =>
    setDraft((before) => ({ fields, number: (before?.number ?? 0) + 1 }));
  const typedTitle = useRef("");
  const add = useAddTask((fields) => {
    // A failed task must not replace what is being typed.
    if (typedTitle.current) return false;
    openForm(fields);
    return true;
  });
  if (!draft)
    return (
      <button type="button" className={styles.add} onClick={() => openForm(EMPTY)} data-testid="task-add">
        <Plus size={17} aria-hidden /> Add a task
      </button>
    );
  return (
    <div className={styles.editing}>
      <TaskForm
        key={draft.number}
        task={draft.fields}
        action="Add"
        onTitleChange={(title) => {
          typedTitle.current = title;
        }}
        onSubmit={(fields) => {
          typedTitle.current = "";
          add.mutate(fields);
          announce("Task added.");
          onAdd();
          openForm(EMPTY);
        }}
        onCancel={() => {
          typedTitle.current = "";
          setDraft(null);
        }}
      />
    </div>
  );
}
