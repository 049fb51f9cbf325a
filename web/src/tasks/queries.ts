/** Tasks as the panel reads and changes them: every change is seen at once, and taken back if it is refused. */

import { useQueryClient } from "@tanstack/react-query";
import { type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import {
  partialBody,
  prependItem,
  removeItem,
  replaceItem,
  updateItems,
  useOptimisticMutation,
  usePagedQuery,
} from "@/lists/pagedQuery";
import { useApi } from "@/session/SessionContext";

export type Task = Schemas["TaskView"];

/** What a form holds. */
export interface TaskFields {
  title: string;
  description: string;
  /** `YYYY-MM-DD`; null: none. */
  due_date: string | null;
}

/** What was made here, and has no id of the API's yet. */
const UNSAVED_PREFIX = "unsaved:";
const PAGE_SIZE = 100;

export const isUnsaved = (task: Task): boolean => task.id.startsWith(UNSAVED_PREFIX);

export function useTasks(completed: boolean) {
  const api = useApi();
  return usePagedQuery<Task>(queryKeys.taskList({ completed }), (cursor) =>
    unwrap(
      api.GET("/v1/tasks", {
        params: { query: { completed, limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) } },
      }),
    ),
  );
}

/** Adds a task. `onFailed` gets back what was typed; whether it took it. */
export function useAddTask(onFailed: (wording: TaskFields) => boolean) {
  const api = useApi();
  const queries = useQueryClient();
  return useOptimisticMutation<TaskFields, Task>({
    queryKey: queryKeys.tasks,
    show: (wording) => {
      const now = new Date().toISOString();
      const id = UNSAVED_PREFIX + crypto.randomUUID();
      prependItem<Task>(queries, queryKeys.taskList({ completed: false }), {
        ...wording,
        id,
        completed: false,
        created_at: now,
        updated_at: now,
      });
    },
    send: (body) => unwrap(api.POST("/v1/tasks", { body })),
    failed: "The task could not be added",
    onFailed,
  });
}

export function useEditTask(task: Task) {
  const api = useApi();
  const queries = useQueryClient();
  return useOptimisticMutation<TaskFields, Task>({
    queryKey: queryKeys.tasks,
    show: (wording) =>
      updateItems<Task>(
        queries,
        queryKeys.tasks,
        replaceItem(task.id, (item) => ({ ...item, ...wording })),
      ),
    send: (wording) =>
      unwrap(
        api.PATCH("/v1/tasks/{task_id}", {
          params: { path: { task_id: task.id } },
          body: partialBody<Schemas["TaskChange"]>(wording),
        }),
      ),
    failed: "The task could not be saved",
  });
}

interface Completion {
  task: Task;
  completed: boolean;
  /** It takes back another. */
  isUndo?: boolean;
}

/** Completes or reopens a task: it goes over to the other list. */
export function useCompleteTask(onDone: (wish: Completion) => void) {
  const api = useApi();
  const queries = useQueryClient();
  return useOptimisticMutation<Completion, Task>({
    queryKey: queryKeys.tasks,
    show: ({ task, completed }) => {
      updateItems<Task>(queries, queryKeys.taskList({ completed: !completed }), removeItem(task.id));
      const after = { ...task, completed, completed_at: completed ? new Date().toISOString() : null };
      prependItem<Task>(queries, queryKeys.taskList({ completed }), after);
    },
    send: ({ task, completed }) =>
      unwrap(
        api.PATCH("/v1/tasks/{task_id}", {
          params: { path: { task_id: task.id } },
          body: partialBody<Schemas["TaskChange"]>({ completed }),
        }),
      ),
    failed: "The task could not be changed",
    onDone: (_, wish) => onDone(wish),
  });
}

export function useDeleteTask(onDone: (task: Task) => void) {
  const api = useApi();
  const queries = useQueryClient();
  return useOptimisticMutation<Task, unknown>({
    queryKey: queryKeys.tasks,
    show: (task) => updateItems<Task>(queries, queryKeys.tasks, removeItem(task.id)),
    send: (task) => unwrap(api.DELETE("/v1/tasks/{task_id}", { params: { path: { task_id: task.id } } })),
    failed: "The task could not be deleted",
    onDone: (_, task) => onDone(task),
  });
}

/** Makes a deleted task anew: the same words, day and state under a new id. */
export function useRestoreTask() {
  const api = useApi();
  const queries = useQueryClient();
  return useOptimisticMutation<Task, Task>({
    queryKey: queryKeys.tasks,
    show: (task) => prependItem(queries, queryKeys.taskList({ completed: Boolean(task.completed) }), task),
    send: async ({ title, description = "", due_date = null, completed = false }) => {
      const made = await unwrap(api.POST("/v1/tasks", { body: { title, description, due_date } }));
      if (!completed) return made;
      return unwrap(
        api.PATCH("/v1/tasks/{task_id}", {
          params: { path: { task_id: made.id } },
          body: partialBody<Schemas["TaskChange"]>({ completed }),
        }),
      );
    },
    failed: "The task could not be brought back",
  });
}
