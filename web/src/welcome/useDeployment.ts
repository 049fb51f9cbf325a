/** What this deployment can do for its user now: whether a model answers, and which services are connected. */

import { useQuery } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { useApi } from "@/session/SessionContext";
import type { Deployment } from "./starters";

const FRESH_FOR_MS = 60_000;
const NOTHING: Deployment = { hasModel: false, services: [] };

/** Null until it is known. While the service is down: what works without anything. */
export function useDeployment(): Deployment | null {
  const api = useApi();
  const { data, isError } = useQuery({
    queryKey: queryKeys.starters,
    queryFn: async (): Promise<Deployment> => {
      const [models, connections] = await Promise.all([
        unwrap(api.GET("/v1/models")),
        unwrap(api.GET("/v1/connections")),
      ]);
      return {
        hasModel: models.items.some((model) => model.answers_by_default),
        services: connections.items.filter((each) => each.status === "connected").map((each) => each.title),
      };
    },
    staleTime: FRESH_FOR_MS,
    retry: false,
  });
  return data ?? (isError ? NOTHING : null);
}
