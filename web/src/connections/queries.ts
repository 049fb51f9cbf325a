/** Queries and mutations for connections: services that the user signs in to. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "@/api/apiError";
import { type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { useApi } from "@/session/SessionContext";
import { showToast } from "@/ui/Toasts";
import type { ClientNeeds } from "./ClientForm";

export type Connection = Schemas["ConnectionView"];
export type Scope = NonNullable<Connection["scope"]>;

const LOOK_EVERY_MS = 2_000;

/** Services and whether they are connected; `isWaiting`: the user signs in to one in another window. */
export function useConnections(isWaiting: boolean) {
  const api = useApi();
  return useQuery({
    queryKey: queryKeys.connections,
    queryFn: () => unwrap(api.GET("/v1/connections")),
    refetchInterval: isWaiting ? LOOK_EVERY_MS : false,
    refetchOnWindowFocus: true,
  });
}

interface SignIn {
  connection: Connection;
  scope: Scope;
  /** The window that the user signs in in; null if the browser refused to open one. */
  tab: Window | null;
}

/**
 * Begins a sign-in and leads the window there. Only a click may open a window, so it is opened before.
 * `onClientNeeded`: the service wants a client that an administrator registered; null tells it by a toast.
 */
export function useSignIn(
  onBegun: (connection: Connection) => void,
  onClientNeeded: ((needs: ClientNeeds) => void) | null,
) {
  const api = useApi();
  return useMutation({
    mutationFn: ({ connection, scope }: SignIn) =>
      unwrap(
        api.POST("/v1/connections/sign-ins", {
          body: connection.skill_id
            ? { skill_id: connection.skill_id }
            : { service: connection.service, scope },
        }),
      ),
    onSuccess: (begun, { connection, tab }) => {
      if (tab) tab.location.replace(begun.authorization_url);
      else window.location.assign(begun.authorization_url);
      onBegun(connection);
    },
    onError: (error, { tab }) => {
      tab?.close();
      const needs = clientNeeds(ApiError.from(error));
      if (needs && onClientNeeded) onClientNeeded(needs);
      else showToast({ text: ApiError.from(error).message });
    },
  });
}

/** Revokes the user's sign-in at a service. */
export function useDisconnect() {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (connection: Connection) =>
      unwrap(
        api.DELETE("/v1/connections/{skill_id}", {
          params: { path: { skill_id: connection.skill_id ?? "" } },
        }),
      ),
    onError: (error) => showToast({ text: `Not disconnected: ${ApiError.from(error).message}` }),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: queryKeys.connections });
      void queries.invalidateQueries({ queryKey: queryKeys.agents });
    },
  });
}

/** What an administrator has to register and save first; null: the error is another one. */
export function clientNeeds(error: ApiError): ClientNeeds | null {
  const { secret, redirect_uri, guide } = error.members;
  if (error.code !== "sign_in_client_needed" || typeof secret !== "string") return null;
  return {
    secret,
    redirectUri: String(redirect_uri),
    guide: typeof guide === "string" && guide.startsWith("https://") ? guide : null,
  };
}
