/** Help panel: answers about the product, with a search. */

import { useQuery } from "@tanstack/react-query";
import { CircleHelp, Search } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { ListEmpty, ListError, ListLoading } from "@/lists/ListPlaceholders";
import { useApi } from "@/session/SessionContext";
import styles from "./help.module.css";
import { groupByTopic } from "./topics";

/** The limit of `GET /v1/help`. */
const MAX_CHARACTERS = 200;

export type HelpAnswer = Schemas["HelpAnswer"];

export function HelpPanel() {
  const [words, setWords] = useState("");
  const query = useDeferredValue(words.trim());
  return (
    <div className={styles.panel}>
      <search className={styles.search}>
        <Search size={15} aria-hidden />
        <input
          type="search"
          placeholder="Ask or search"
          aria-label="Search the help"
          data-testid="help-search"
          autoComplete="off"
          maxLength={MAX_CHARACTERS}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </search>
      <Answers query={query} />
    </div>
  );
}

function Answers({ query }: { query: string }) {
  const api = useApi();
  const help = useQuery({
    queryKey: queryKeys.help(query),
    queryFn: () => unwrap(api.GET("/v1/help", { params: { query: query ? { q: query } : {} } })),
    placeholderData: (before) => before,
  });
  if (help.isPending) return <ListLoading what="answers" height={44} />;
  if (!help.data) return <ListError what="answers" error={help.error} onRetry={() => void help.refetch()} />;
  if (help.data.items.length === 0)
    return (
      <ListEmpty icon={<CircleHelp size={28} aria-hidden />} title="No answer fits">
        <p>Try other words, or ask your administrator.</p>
      </ListEmpty>
    );
  if (query) return <AnswerList answers={help.data.items} />;
  return groupByTopic(help.data.items).map(([topic, answers]) => (
    <section key={topic}>
      <h3 className={styles.topic}>{topic}</h3>
      <AnswerList answers={answers} />
    </section>
  ));
}

function AnswerList({ answers }: { answers: readonly HelpAnswer[] }) {
  return (
    <ul className={styles.list} data-testid="help-answers">
      {answers.map((answer) => (
        <li key={answer.id}>
          <details>
            <summary>{answer.title}</summary>
            <p>{answer.text}</p>
          </details>
        </li>
      ))}
    </ul>
  );
}
