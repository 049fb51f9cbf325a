/** Queries for the settings: usage, models, the workspace's policy and what administrators see. */

import { useQuery } from "@tanstack/react-query";
import { type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { usePagedQuery } from "@/lists/pagedQuery";
import { useRequest } from "@/lists/useRequest";
import { useApi } from "@/session/SessionContext";

export type Policy = Schemas["PolicyView"];
export type Erasure = Schemas["ErasureView"];
export type OwnAnswer = Schemas["TenantAnswer"];
export type Overseen = Schemas["OverseenConversation"];

const byCursor = (cursor: string | null) => ({ params: { query: cursor ? { cursor } : {} } });

export function useUsage(from: string, to: string, scope: "mine" | "tenant") {
  const api = useApi();
  return useQuery({
    queryKey: queryKeys.setting("usage", from, to, scope),
    queryFn: () => unwrap(api.GET("/v1/usage", { params: { query: { from, to, scope } } })),
  });
}

export function useModels() {
  const api = useApi();
  return useQuery({
    queryKey: queryKeys.setting("models"),
    queryFn: () => unwrap(api.GET("/v1/models")),
  });
}

export function usePolicy() {
  const api = useApi();
  return useQuery({
    queryKey: queryKeys.setting("policy"),
    queryFn: () => unwrap(api.GET("/v1/tenant/policy")),
  });
}

export function useOwnAnswers() {
  const api = useApi();
  return usePagedQuery<OwnAnswer>(queryKeys.setting("answers"), () => unwrap(api.GET("/v1/tenant/answers")));
}

export function useRemoveAnswer() {
  const api = useApi();
  return useRequest({
    send: (id: string) =>
      unwrap(api.DELETE("/v1/tenant/answers/{answer_id}", { params: { path: { answer_id: id } } })),
    queryKeys: [queryKeys.setting("answers")],
    errorText: "The answer could not be removed",
  });
}

export function useCorrections() {
  const api = useApi();
  return usePagedQuery<Schemas["CorrectionView"]>(queryKeys.setting("corrections"), () =>
    unwrap(api.GET("/v1/tenant/corrections")),
  );
}

export function useRemoveCorrection() {
  const api = useApi();
  return useRequest({
    send: (id: string) =>
      unwrap(
        api.DELETE("/v1/tenant/corrections/{correction_id}", { params: { path: { correction_id: id } } }),
      ),
    queryKeys: [queryKeys.setting("corrections")],
    errorText: "The correction could not be removed",
  });
}

export function useAudit() {
  const api = useApi();
  return usePagedQuery<Schemas["AuditView"]>(queryKeys.setting("audit"), (cursor) =>
    unwrap(api.GET("/v1/audit", byCursor(cursor))),
  );
}

export function useOverseen() {
  const api = useApi();
  return usePagedQuery<Overseen>(queryKeys.setting("overseen"), (cursor) =>
    unwrap(api.GET("/v1/tenant/conversations", byCursor(cursor))),
  );
}

export function useOverseenMessages(id: string) {
  const api = useApi();
  return usePagedQuery<Schemas["OverseenMessage"]>(queryKeys.setting("overseen-messages", id), (cursor) =>
    unwrap(
      api.GET("/v1/tenant/conversations/{conversation_id}/messages", {
        params: { path: { conversation_id: id }, ...byCursor(cursor).params },
      }),
    ),
  );
}

export function useHold() {
  const api = useApi();
  return useRequest({
    send: ({ id, held }: { id: string; held: boolean }): Promise<unknown> => {
      const params = { params: { path: { conversation_id: id } } };
      return held
        ? unwrap(api.PUT("/v1/tenant/holds/{conversation_id}", params))
        : unwrap(api.DELETE("/v1/tenant/holds/{conversation_id}", params));
    },
    queryKeys: [queryKeys.setting("overseen")],
    errorText: "The hold could not be changed",
  });
}

export type Erased = { scope: "user" | "conversation" | "tenant"; id: string };

/** Begins an erasure. What it removed is told by `useErasure`. */
export function useErase(onBegun: (erasure: Erasure) => void) {
  const api = useApi();
  return useRequest({
    send: ({ scope, id }: Erased): Promise<Erasure> => {
      if (scope === "user")
        return unwrap(api.POST("/v1/users/{user_id}/erasures", { params: { path: { user_id: id } } }));
      if (scope === "tenant")
        return unwrap(api.POST("/v1/tenants/{tenant_id}/erasures", { params: { path: { tenant_id: id } } }));
      const params = { path: { conversation_id: id } };
      return unwrap(api.POST("/v1/conversations/{conversation_id}/erasures", { params }));
    },
    queryKeys: [queryKeys.setting("overseen"), queryKeys.setting("tenant-erasures")],
    errorText: "The erasure could not begin",
    onSuccess: onBegun,
  });
}

const LOOK_EVERY_MS = 5_000;

/** An erasure, looked at until it is over. */
export function useErasure(id: string | null) {
  const api = useApi();
  return useQuery({
    queryKey: queryKeys.setting("erasure", id),
    queryFn: () =>
      unwrap(api.GET("/v1/erasures/{erasure_id}", { params: { path: { erasure_id: id ?? "" } } })),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data && isErasureOver(state.data) ? false : LOOK_EVERY_MS),
  });
}

export const isErasureOver = ({ state }: Erasure): boolean => state === "done" || state === "held";

export function useTenant(id: string | null) {
  const api = useApi();
  return useQuery({
    queryKey: queryKeys.setting("tenant", id),
    queryFn: () => unwrap(api.GET("/v1/tenants/{tenant_id}", { params: { path: { tenant_id: id ?? "" } } })),
    enabled: id !== null,
    retry: false,
  });
}

export function useTenantErasures(id: string) {
  const api = useApi();
  return usePagedQuery<Erasure>(queryKeys.setting("tenant-erasures", id), (cursor) =>
    unwrap(
      api.GET("/v1/tenants/{tenant_id}/erasures", {
        params: { path: { tenant_id: id }, ...byCursor(cursor).params },
      }),
    ),
  );
}

/** Shuts a tenant's users out, or lets them in again. */
export function useSuspend(id: string) {
  const api = useApi();
  return useRequest({
    send: (suspended: boolean) => {
      const params = { params: { path: { tenant_id: id } } };
      return suspended
        ? unwrap(api.POST("/v1/tenants/{tenant_id}/suspend", params))
        : unwrap(api.POST("/v1/tenants/{tenant_id}/resume", params));
    },
    queryKeys: [queryKeys.setting("tenant", id)],
    errorText: "The tenant could not be changed",
  });
}
