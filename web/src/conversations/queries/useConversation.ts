/** Query for one conversation. Takes it from a loaded list if possible, otherwise fetches it. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { useApi } from "@/session/SessionContext";
import type { ConversationView, LoadedConversations } from "./conversationPages";
import { conversationListKey } from "./useConversations";

/** Null if there is no id, or while the conversation is loading or can't be loaded. */
export function useConversation(id: string | null): ConversationView | null {
  const api = useApi();
  const queries = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) => queries.getQueryCache().subscribe(listener),
    [queries],
  );
  const listed = useSyncExternalStore(subscribe, () => {
    for (const status of ["active", "archived"] as const) {
      const list = queries.getQueryData<LoadedConversations>(conversationListKey(status));
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
