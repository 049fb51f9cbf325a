/** Queries and optimistic mutations for tasks. */

import { useQueryClient } from "@tanstack/react-query";
import { partialBody, type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { prependItem, removeItem, replaceItem, updateItems, usePagedQuery } from "@/lists/pagedQuery";
import { useOptimisticMutation } from "@/lists/useOptimisticMutation";
import { useApi } from "@/session/SessionContext";

export type Task = Schemas["TaskView"];

/** The fields of the task form. */
export interface TaskFields {
  title: string;
  description: string;
  /** `YYYY-MM-DD`, or null. */
  due_date: string | null;
  /** `YYYY-MM-DDThh:mm` on the clocks of `time_zone`, or null. */
  due_at: string | null;
  time_zone: string | null;
}

/** Prefix of the temporary id of a task that is not saved yet. */
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

/** `onFailed` gets the fields back if the request fails, and returns whether it handled that. */
export function useAddTask(onFailed: (fields: TaskFields) => boolean) {
  const api = useApi();
  const queries = useQueryClient();
  return useOptimisticMutation<TaskFields, Task>({
    queryKey: queryKeys.tasks,
    apply: (fields) => {
      const now = new Date().toISOString();
      const id = UNSAVED_PREFIX + crypto.randomUUID();
      prependItem<Task>(queries, queryKeys.taskList({ completed: false }), {
        ...fields,
        id,
        remind: fields.due_at !== null,
        completed: false,
        created_at: now,
        updated_at: now,
      });
    },
    send: (fields) => unwrap(api.POST("/v1/tasks", { body: partialBody<Schemas["TaskSpec"]>(fields) })),
    errorText: "The task could not be added",
    onFailure: onFailed,
  });
}

export function useEditTask(task: Task) {
  const api = useApi();
  const queries = useQueryClient();
  return useOptimisticMutation<TaskFields, Task>({
    queryKey: queryKeys.tasks,
    apply: (fields) =>
      updateItems<Task>(
        queries,
        queryKeys.tasks,
        replaceItem(task.id, (item) => ({ ...item, ...fields })),
      ),
    send: (fields) =>
      unwrap(
        api.PATCH("/v1/tasks/{task_id}", {
          params: { path: { task_id: task.id } },
          body: partialBody<Schemas["TaskChange"]>(fields),
        }),
      ),
    errorText: "The task could not be saved",
  });
}

interface Completion {
  task: Task;
  completed: boolean;
  /** Whether it undoes another. */
  isUndo?: boolean;
}

/** Completes or reopens a task, which moves it to the other list. */
export function useCompleteTask(onDone: (variables: Completion) => void) {
  const api = useApi();
  const queries = useQueryClient();
  return useOptimisticMutation<Completion, Task>({
    queryKey: queryKeys.tasks,
    apply: ({ task, completed }) => {
      // One that repeats stays open, and the service says when it is due next.
      if (completed && task.repeat) return;
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
    errorText: "The task could not be changed",
    onSuccess: (_, variables) => onDone(variables),
  });
}

export function useDeleteTask(onDone: (task: Task) => void) {
  const api = useApi();
  const queries = useQueryClient();
  return useOptimisticMutation<Task, unknown>({
    queryKey: queryKeys.tasks,
    apply: (task) => updateItems<Task>(queries, queryKeys.tasks, removeItem(task.id)),
    send: (task) => unwrap(api.DELETE("/v1/tasks/{task_id}", { params: { path: { task_id: task.id } } })),
    errorText: "The task could not be deleted",
    onSuccess: (_, task) => onDone(task),
  });
}

/** The tasks that the user deleted and can restore, the last deleted first. */
export function useDeletedTasks(enabled: boolean) {
  const api = useApi();
  return usePagedQuery<Task>(
    queryKeys.deletedTasks,
    (cursor) =>
      unwrap(api.GET("/v1/tasks", { params: { query: { deleted: true, ...(cursor ? { cursor } : {}) } } })),
    { enabled },
  );
}

/** Brings a deleted task back as it was. */
export function useRestoreTask() {
  const api = useApi();
  const queries = useQueryClient();
  return useOptimisticMutation<Task, Task>({
    queryKey: queryKeys.tasks,
    apply: (task) => {
      updateItems<Task>(queries, queryKeys.deletedTasks, removeItem(task.id));
      prependItem(queries, queryKeys.taskList({ completed: Boolean(task.completed) }), task);
    },
    send: (task) =>
      unwrap(api.POST("/v1/tasks/{task_id}/restore", { params: { path: { task_id: task.id } } })),
    errorText: "The task could not be brought back",
  });
}
