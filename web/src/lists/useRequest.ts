/** Mutation without an optimistic change: what failed is told by a toast, and lists are fetched again. */

import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "@/api/apiError";
import { showToast } from "@/ui/Toasts";

export function useRequest<V, R>(options: {
  send: (variables: V) => Promise<R>;
  /** What is fetched again afterwards. */
  queryKeys: readonly QueryKey[];
  /** What went wrong, such as `The answer could not be removed`. */
  errorText: string;
  onSuccess?: (result: R, variables: V) => void;
}) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: options.send,
    onSuccess: (result, variables) => options.onSuccess?.(result, variables),
    onError: (error) => showToast({ text: `${options.errorText}: ${ApiError.from(error).message}` }),
    onSettled: () => {
      for (const queryKey of options.queryKeys) void queries.invalidateQueries({ queryKey });
    },
  });
}
