/** Where the user says what to look for in their conversations. */

import { Search, X } from "lucide-react";
import type { Ref, RefObject } from "react";
import { IconButton } from "@/ui/Controls";
import styles from "./search.module.css";

/** Source: `GET /v1/search`, which refuses more. */
const MAX_CHARACTERS = 500;

interface SearchFieldProps {
  words: string;
  onWords: (words: string) => void;
  ref: RefObject<HTMLInputElement | null>;
}

export function SearchField({ words, onWords, ref }: SearchFieldProps) {
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
        value={words}
        onChange={(event) => onWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || !words) return;
          event.preventDefault();
          onWords("");
        }}
      />
      {words ? (
        <IconButton
          small
          label="Clear the search"
          onClick={() => {
            onWords("");
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
