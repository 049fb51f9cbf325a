/** Queries and mutations for connections: services that the user signs in to. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "@/api/apiError";
import { type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { useApi } from "@/session/SessionContext";
import { showToast } from "@/ui/Toasts";

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

/** Begins a sign-in and leads the window there. Only a click may open a window, so it is opened before. */
export function useSignIn(onBegun: (connection: Connection) => void) {
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
      showToast({ text: signInError(ApiError.from(error)) });
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

/** What went wrong, with what an administrator needs to register a client. */
export function signInError(error: ApiError): string {
  const { secret, redirect_uri: address } = error.members;
  if (error.code !== "sign_in_client_needed" || !secret) return error.message;
  return `${error.message} The redirect address is ${address}, the secret's name ${secret}.`;
}
