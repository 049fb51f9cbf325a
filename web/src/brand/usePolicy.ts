/** What the page shows and allows by the workspace's policy; asked once for all. */

import { useQuery } from "@tanstack/react-query";
import { type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { useApi } from "@/session/SessionContext";

const FRESH_FOR_MS = 5 * 60_000;

/** A part of the policy; undefined until it is known. `select` is the same function each time. */
export function usePolicy<T>(select: (policy: Schemas["PolicyView"]) => T): T | undefined {
  const api = useApi();
  return useQuery({
    queryKey: queryKeys.brand,
    queryFn: () => unwrap(api.GET("/v1/tenant/policy")),
    staleTime: FRESH_FOR_MS,
    select,
  }).data;
}
