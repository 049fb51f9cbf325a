/** What was found, instead of the list of conversations. */

import { type RefObject, useEffect, useRef } from "react";
import { Link } from "wouter";
import { nameOf } from "@/conversations/list/listRows";
import { useHrefs } from "@/conversations/useHrefs";
import { announce } from "@/ui/announcer";
import { Badge, Button, classNames, Skeleton, Spinner } from "@/ui/Controls";
import { shortTime } from "./formatTime";
import { pieces, type Span } from "./highlight";
import styles from "./search.module.css";
import { type Found, type Hit, type TitleHit, useSearch, useTitleHits } from "./useSearch";

interface SearchResultsProps {
  words: string;
  /** Where the words are written; arrows go up to it and down from it. */
  field: RefObject<HTMLInputElement | null>;
}

export function SearchResults({ words, field }: SearchResultsProps) {
  const found = useSearch(words);
  const titles = useTitleHits(words);
  const results = useRef<HTMLElement>(null);
  useArrows(results, field);
  useAnnounced(found, titles.length);
  const { hits, isSearching, problem } = found;
  const isNothing = hits.length === 0 && titles.length === 0;
  return (
    <section ref={results} className={styles.results} aria-label="Search results" aria-busy={isSearching}>
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
      {hits.length > 0 && !problem && (
        <>
          <h2 className={styles.heading}>Messages</h2>
          <ul className={classNames(styles.hits, isSearching && styles.old)}>
            {hits.map((hit) => (
              <HitItem key={`${hit.conversation_id} ${hit.message_id}`} hit={hit} />
            ))}
          </ul>
          <More found={found} />
        </>
      )}
      {hits.length === 0 && isSearching && !problem && <Searching />}
      {problem && !isSearching && <Problem found={found} />}
      {isNothing && !isSearching && !problem && (
        <p className={styles.nothing} data-testid="nothing-found">
          Nothing was found for “{words.trim()}”.{" "}
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
          <Marked text={nameOf(conversation)} spans={spans} />
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
          <span className={styles.title}>{nameOf({ title: hit.conversation_title })}</span>
          {hit.conversation_status === "archived" && <Badge>Archived</Badge>}
        </span>
        <span className={styles.snippet}>
          <Marked text={snippet.text} spans={snippet.matches} />
        </span>
        <span className={styles.when}>
          {role === "user" ? "You" : "OmniForge"} ·{" "}
          <time dateTime={hit.created_at}>{shortTime(hit.created_at)}</time>
        </span>
      </Link>
    </li>
  );
}

/** The text as text, whatever is in it, with what was searched for marked. */
function Marked({ text, spans }: { text: string; spans: readonly Span[] }) {
  let place = 0;
  return pieces(text, spans).map((piece) => {
    const key = place;
    place += piece.text.length;
    return piece.isMatch ? <mark key={key}>{piece.text}</mark> : <span key={key}>{piece.text}</span>;
  });
}

function More({ found: { hasMore, isReadingMore, readMore } }: { found: Found }) {
  if (!hasMore) return null;
  return (
    <Button variant="quiet" small className={styles.more} disabled={isReadingMore} onClick={readMore}>
      {isReadingMore && <Spinner />} Show more
    </Button>
  );
}

function Searching() {
  return (
    <div className={styles.searching} data-testid="searching">
      {["80%", "95%", "40%", "70%", "92%", "45%"].map((width) => (
        <Skeleton key={width} width={width} height={12} />
      ))}
    </div>
  );
}

function Problem({ found: { problem, retry } }: { found: Found }) {
  const isOurs = problem?.status === 0 || problem?.isTransient;
  return (
    <div className={styles.nothing} role="alert" data-testid="search-problem">
      <p>{isOurs ? "The search can't be reached right now." : "There is nothing to search for in that."}</p>
      {isOurs && (
        <Button small onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Says how much was found once it is known. */
function useAnnounced({ words, hits, hasMore, isSearching, problem }: Found, titles: number): void {
  const count = hits.length + titles;
  useEffect(() => {
    if (isSearching || problem) return;
    const results = count === 1 ? "1 result" : `${count} results`;
    announce(count === 0 ? `Nothing was found for ${words}.` : `${hasMore ? "More than " : ""}${results}.`);
  }, [words, count, hasMore, isSearching, problem]);
}

/** Arrows move between the field and the results, Escape goes back to the field. */
function useArrows(results: RefObject<HTMLElement | null>, field: RefObject<HTMLInputElement | null>): void {
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
