/** Queries and mutations for mail recipients that confirm by a code. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { useApi } from "@/session/SessionContext";
import { announce } from "@/ui/Announcer";

/** The recipients that the user's agents asked. */
export function useMailRecipients(enabled: boolean) {
  const api = useApi();
  return useQuery({
    queryKey: queryKeys.mailRecipients,
    queryFn: () => unwrap(api.GET("/v1/mail-recipients")),
    enabled,
  });
}

/** Confirms a recipient by its code. The form shows errors itself. */
export function useConfirmRecipient(address: string) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (code: string) =>
      unwrap(api.POST("/v1/mail-recipients/verify", { body: { address, code: code.trim() } })),
    onSuccess: () => {
      announce(`${address} gets results from now on.`);
      return queries.invalidateQueries({ queryKey: queryKeys.mailRecipients });
    },
  });
}
