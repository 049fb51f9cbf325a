/** One conversation, from a list that holds it or by itself. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { useApi } from "@/session/SessionContext";
import type { ConversationView, LoadedConversations } from "./conversationPages";
import { conversationListKey } from "./useConversations";

/** The conversation; null: there is no id, it is not known yet, or it can't be read. */
export function useConversation(id: string | null): ConversationView | null {
  const api = useApi();
  const queries = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) => queries.getQueryCache().subscribe(listener),
    [queries],
  );
  const listed = useSyncExternalStore(subscribe, () => {
    for (const shelf of ["active", "archived"] as const) {
      const list = queries.getQueryData<LoadedConversations>(conversationListKey(shelf));
      const found = list?.items.find((each) => each.id === id);
      if (found) return found;
    }
    return null;
  });
  const { data } = useQuery({
    queryKey: queryKeys.conversation(id ?? ""),
    enabled: id !== null && listed === null,
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/v1/conversations/{conversation_id}", {
          params: { path: { conversation_id: id ?? "" } },
          signal,
        }),
      ),
  });
  return listed ?? (id ? (data ?? null) : null);
}
