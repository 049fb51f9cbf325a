/** The TanStack Query client: how long answers stay fresh, and what is retried. */

import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./apiError";

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // Only transient errors are worth retrying; the session renews tokens by itself.
        retry: (count, error) => count < 2 && (!(error instanceof ApiError) || error.isTransient),
        refetchOnWindowFocus: true,
      },
      // A mutation that waited for the network would be lost with the page, so it fails at once instead.
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
