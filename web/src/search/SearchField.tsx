/** Search field above the conversation list. */

import { Search, X } from "lucide-react";
import type { Ref, RefObject } from "react";
import { IconButton } from "@/ui/Controls";
import styles from "./search.module.css";

/** The limit of `GET /v1/search`. */
const MAX_CHARACTERS = 500;

interface SearchFieldProps {
  query: string;
  onQueryChange: (query: string) => void;
  ref: RefObject<HTMLInputElement | null>;
}

export function SearchField({ query, onQueryChange, ref }: SearchFieldProps) {
  return (
    <search className={styles.field}>
      <Search size={15} className={styles.lens} aria-hidden />
      <input
        ref={ref as Ref<HTMLInputElement>}
        type="search"
        className={styles.input}
        placeholder="Search"
        aria-label="Search your conversations"
        aria-keyshortcuts="Control+K"
        data-testid="search-input"
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_CHARACTERS}
        value={query}
        onChange={(event) => onQueryChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || !query) return;
          event.preventDefault();
          onQueryChange("");
        }}
      />
      {query ? (
        <IconButton
          small
          label="Clear the search"
          onClick={() => {
            onQueryChange("");
            ref.current?.focus();
          }}
        >
          <X size={15} aria-hidden />
        </IconButton>
      ) : (
        <kbd className={styles.key} aria-hidden>
          {isApple() ? "⌘K" : "Ctrl K"}
        </kbd>
      )}
    </search>
  );
}

const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);
