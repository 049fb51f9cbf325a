/** Mutation that shows its change at once, and undoes it with a toast if the request fails. */

import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "@/api/apiError";
import { showToast } from "@/ui/Toasts";

/** All queries under `queryKey` are restored if the request fails, and refetched in the end. */
export function useOptimisticMutation<V, R>(options: {
  queryKey: QueryKey;
  /** Shows the change by updating cached data under `queryKey`. */
  apply: (variables: V) => void;
  send: (variables: V) => Promise<R>;
  /** What went wrong, such as `The task could not be saved`. */
  errorText: string;
  onSuccess?: (result: R, variables: V) => void;
  /** Returns whether it handled the failure; if not, the toast offers to try again. */
  onFailure?: (variables: V) => boolean;
}) {
  const { queryKey, apply, send, errorText, onSuccess, onFailure } = options;
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationKey: queryKey,
    mutationFn: send,
    onMutate: async (variables: V) => {
      // A response that is on its way does not contain the change.
      await queries.cancelQueries({ queryKey });
      const before = queries.getQueriesData({ queryKey });
      apply(variables);
      return before;
    },
    onSuccess: (result, variables) => onSuccess?.(result, variables),
    onError: (error, variables, before) => {
      for (const [key, data] of before ?? []) queries.setQueryData(key, data);
      const text = `${errorText}: ${ApiError.from(error).message}`;
      if (onFailure?.(variables)) showToast({ text });
      else showToast({ text, action: { label: "Try again", run: () => mutation.mutate(variables) } });
    },
    // Refetching during another mutation would undo the change that it shows.
    onSettled: () => {
      if (queries.isMutating({ mutationKey: queryKey }) === 1) void queries.invalidateQueries({ queryKey });
    },
  });
  return mutation;
}
