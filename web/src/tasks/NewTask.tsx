/** Where a task is added. It stays open for the next one. */

import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { announce } from "@/ui/Announcer";
import { type TaskFields, useAddTask } from "./queries";
import { TaskForm } from "./TaskForm";
import styles from "./tasks.module.css";

const NOTHING: TaskFields = { title: "", description: "", due_date: null };

interface Draft {
  wording: TaskFields;
  /** Counts the forms: each begins anew. */
  number: number;
}

export function NewTask({ onAdd }: { onAdd: () => void }) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const begin = (wording: TaskFields) =>
    setDraft((before) => ({ wording, number: (before?.number ?? 0) + 1 }));
  const typed = useRef("");
  const add = useAddTask((wording) => {
    // What was refused does not take the place of what is being typed.
    if (typed.current) return false;
    begin(wording);
    return true;
  });
  if (!draft)
    return (
      <button type="button" className={styles.add} onClick={() => begin(NOTHING)} data-testid="task-add">
        <Plus size={17} aria-hidden /> Add a task
      </button>
    );
  return (
    <div className={styles.editing}>
      <TaskForm
        key={draft.number}
        task={draft.wording}
        action="Add"
        onTyping={(title) => {
          typed.current = title;
        }}
        onSubmit={(wording) => {
          typed.current = "";
          add.mutate(wording);
          announce("Task added.");
          onAdd();
          begin(NOTHING);
        }}
        onCancel={() => {
          typed.current = "";
          setDraft(null);
        }}
      />
    </div>
  );
}
