/** Parses a search query as the user typed it. Pure. */

/** The words of a query, as they are searched for in titles. */
export const queryWords = (query: string): string[] => query.split(/[\s"*]+/).filter(Boolean);

/** The query with its last word as a prefix (`budg*`); null if that makes no other query. */
export function toPrefixQuery(query: string): string | null {
  const isOutsideQuotes = (query.match(/"/g)?.length ?? 0) % 2 === 0;
  return isOutsideQuotes && /[\p{L}\p{N}]{2,}$/u.test(query) ? `${query}*` : null;
}
