/** The message that the address names (`?message=ID`), because it was found by a search. */

import { useCallback } from "react";
import { useSearchParams } from "wouter";

/** The message's id, and how to take it off the address once it is shown; null: none is sought. */
export function useSought(): [string | null, () => void] {
  const [search, setSearch] = useSearchParams();
  const done = useCallback(
    () =>
      setSearch(
        (before) => {
          const after = new URLSearchParams(before);
          after.delete("message");
          return after;
        },
        { replace: true },
      ),
    [setSearch],
  );
  return [search.get("message"), done];
}
