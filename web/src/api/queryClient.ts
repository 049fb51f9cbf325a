/** What was read of the API, and how it is kept. */

import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./apiError";

/** An empty cache for one session. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // The session renews what can be renewed; a refusal stays one.
        retry: (count, error) => count < 2 && (!(error instanceof ApiError) || error.isTransient),
        refetchOnWindowFocus: true,
      },
      // A change that waits for the network unseen would be lost with the page; it is refused at once instead.
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
