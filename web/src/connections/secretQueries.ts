/** Queries and mutations for the workspace's secrets: names and dates are read, values are only ever written. */

import { type Api, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import type { components } from "@/api/schema";
import { usePagedQuery } from "@/lists/pagedQuery";
import { useRequest } from "@/lists/useRequest";
import { useApi } from "@/session/SessionContext";
import { announce } from "@/ui/Announcer";

export type StoredSecret = components["schemas"]["StoredSecret"];

/** The most characters of a secret, as the API takes them. */
export const MAX_SECRET = 8_000;

/** The name of the secret that belongs to one connection and is removed with it. */
export const ownSecretName = (connection: string): string => `${connection}-key`;

const named = (name: string) => ({ params: { path: { secret_name: name } } });

/** The stored secrets; for administrators only. */
export function useSecrets() {
  const api = useApi();
  return usePagedQuery<StoredSecret & { id: string }>(queryKeys.secrets, async () => {
    const page = await unwrap(api.GET("/v1/tenant/secrets"));
    return { ...page, items: page.items.map((each) => ({ ...each, id: each.name })) };
  });
}

export const storeSecret = (api: Api, name: string, value: string): Promise<StoredSecret> =>
  unwrap(api.PUT("/v1/tenant/secrets/{secret_name}", { ...named(name), body: { value } }));

export function useStoreSecret(onStored: () => void) {
  const api = useApi();
  return useRequest({
    send: ({ name, value }: { name: string; value: string }) => storeSecret(api, name, value),
    queryKeys: [queryKeys.secrets],
    errorText: "The secret could not be saved",
    onSuccess: () => {
      announce("The secret is saved.");
      onStored();
    },
  });
}

export function useRemoveSecret() {
  const api = useApi();
  return useRequest({
    send: (name: string) => unwrap(api.DELETE("/v1/tenant/secrets/{secret_name}", named(name))),
    queryKeys: [queryKeys.secrets],
    errorText: "The secret could not be removed",
    onSuccess: () => announce("The secret is removed."),
  });
}
