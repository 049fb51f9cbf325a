/** Search results, shown in place of the conversation list. */

import { type RefObject, useEffect, useRef } from "react";
import { Link } from "wouter";
import { assistantName } from "@/brand/brand";
import { conversationName } from "@/conversations/conversationName";
import { useHrefs } from "@/conversations/useHrefs";
import { announce } from "@/ui/Announcer";
import { Badge, Button, classNames, Skeleton, Spinner } from "@/ui/Controls";
import { formatTime } from "./formatTime";
import { type Span, splitAtMatches } from "./highlight";
import styles from "./search.module.css";
import { type Hit, type SearchResult, type TitleHit, useSearch } from "./useSearch";

interface SearchResultsProps {
  query: string;
  /** The search field; arrow keys move between it and the results. */
  field: RefObject<HTMLInputElement | null>;
}

export function SearchResults({ query, field }: SearchResultsProps) {
  const result = useSearch(query);
  const list = useRef<HTMLElement>(null);
  useArrowKeys(list, field);
  useAnnounceResults(result);
  const { hits, titles, isSearching, problem } = result;
  const isEmpty = hits.length === 0 && titles.length === 0;
  return (
    <section ref={list} className={styles.results} aria-label="Search results" aria-busy={isSearching}>
      {titles.length > 0 && (
        <>
          <h2 className={styles.heading}>Conversations</h2>
          <ul className={styles.hits}>
            {titles.map((hit) => (
              <TitleHitItem key={hit.conversation.id} hit={hit} />
            ))}
          </ul>
        </>
      )}
      {hits.length > 0 && (
        <>
          <h2 className={styles.heading}>Messages</h2>
          <ul className={classNames(styles.hits, isSearching && styles.old)}>
            {hits.map((hit) => (
              <HitItem key={`${hit.conversation_id} ${hit.message_id}`} hit={hit} />
            ))}
          </ul>
          {!problem && <ShowMore result={result} />}
        </>
      )}
      {hits.length === 0 && isSearching && !problem && <SearchSkeleton />}
      {problem && !isSearching && <SearchError result={result} />}
      {isEmpty && !isSearching && !problem && (
        <p className={styles.nothing} data-testid="nothing-found">
          Nothing was found for “{query.trim()}”.{" "}
          <span>Try fewer or other words, or a beginning with *.</span>
        </p>
      )}
    </section>
  );
}

function TitleHitItem({ hit: { conversation, spans } }: { hit: TitleHit }) {
  const hrefs = useHrefs();
  return (
    <li>
      <Link href={hrefs.conversation(conversation.id)} className={styles.hit} data-testid="search-title">
        <span className={styles.title}>
          <HighlightedText text={conversationName(conversation)} spans={spans} />
        </span>
      </Link>
    </li>
  );
}

function HitItem({ hit }: { hit: Hit }) {
  const hrefs = useHrefs();
  const { snippet, role } = hit;
  return (
    <li>
      <Link
        href={hrefs.conversation(hit.conversation_id, hit.message_id)}
        className={styles.hit}
        data-testid="search-hit"
      >
        <span className={styles.head}>
          <span className={styles.title}>{conversationName({ title: hit.conversation_title })}</span>
          {hit.conversation_status === "archived" && <Badge>Archived</Badge>}
        </span>
        <span className={styles.snippet}>
          <HighlightedText text={snippet.text} spans={snippet.matches} />
        </span>
        <span className={styles.when}>
          {role === "user" ? "You" : assistantName()} ·{" "}
          <time dateTime={hit.created_at}>{formatTime(hit.created_at)}</time>
        </span>
      </Link>
    </li>
  );
}

/** The text with its matches highlighted. Markup in it is shown as text. */
function HighlightedText({ text, spans }: { text: string; spans: readonly Span[] }) {
  let position = 0;
  return splitAtMatches(text, spans).map((piece) => {
    const key = position;
    position += piece.text.length;
    return piece.isMatch ? <mark key={key}>{piece.text}</mark> : <span key={key}>{piece.text}</span>;
  });
}

function ShowMore({ result: { hasMore, isFetchingMore, fetchMore } }: { result: SearchResult }) {
  if (!hasMore) return null;
  return (
    <Button variant="quiet" small className={styles.more} disabled={isFetchingMore} onClick={fetchMore}>
      {isFetchingMore && <Spinner />} Show more
    </Button>
  );
}

function SearchSkeleton() {
  return (
    <div className={styles.searching} data-testid="searching">
      {["80%", "95%", "40%", "70%", "92%", "45%"].map((width) => (
        <Skeleton key={width} width={width} height={12} />
      ))}
    </div>
  );
}

function SearchError({ result: { problem, retry } }: { result: SearchResult }) {
  const isUnavailable = problem?.status === 0 || problem?.isTransient;
  return (
    <div className={styles.nothing} role="alert" data-testid="search-problem">
      <p>
        {isUnavailable ? "The search can't be reached right now." : "There is nothing to search for in that."}
      </p>
      {isUnavailable && (
        <Button small onClick={retry} data-testid="retry">
          Try again
        </Button>
      )}
    </div>
  );
}

/** Announces the number of results once it is known. */
function useAnnounceResults(result: SearchResult): void {
  const { query, hits, titles, hasMore, isSearching, problem } = result;
  const count = hits.length + titles.length;
  useEffect(() => {
    if (isSearching || problem) return;
    const results = count === 1 ? "1 result" : `${count} results`;
    announce(count === 0 ? `Nothing was found for ${query}.` : `${hasMore ? "More than " : ""}${results}.`);
  }, [query, count, hasMore, isSearching, problem]);
}

/** Arrow keys move between the field and the results; Escape returns to the field. */
function useArrowKeys(
  results: RefObject<HTMLElement | null>,
  field: RefObject<HTMLInputElement | null>,
): void {
  useEffect(() => {
    const [list, input] = [results.current, field.current];
    const links = () => [...(list?.querySelectorAll<HTMLElement>("a[data-testid]") ?? [])];
    const onList = (event: KeyboardEvent) => {
      const all = links();
      const index = all.indexOf(document.activeElement as HTMLElement);
      if (event.key === "Escape" || (event.key === "ArrowUp" && index === 0)) input?.focus();
      else if (event.key === "ArrowDown") all[index + 1]?.focus();
      else if (event.key === "ArrowUp") all[index - 1]?.focus();
      else return;
      event.preventDefault();
    };
    const onField = (event: KeyboardEvent) => {
      if (event.isComposing || (event.key !== "ArrowDown" && event.key !== "Enter")) return;
      event.preventDefault();
      const first = links()[0];
      if (event.key === "Enter") first?.click();
      else first?.focus();
    };
    list?.addEventListener("keydown", onList);
    input?.addEventListener("keydown", onField);
    return () => {
      list?.removeEventListener("keydown", onList);
      input?.removeEventListener("keydown", onField);
    };
  }, [results, field]);
}
