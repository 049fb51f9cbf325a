/** An empty chat: a greeting, three things that can be done right now, and answers to a newcomer's questions. */

import { useQuery } from "@tanstack/react-query";
import { BellRing, CalendarClock, Eye, ListTree, MessageCircleQuestion } from "lucide-react";
import { unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { useBrand } from "@/brand/brand";
import { useThreadRegistry } from "@/chat/thread/ThreadContext";
import { groupByTopic } from "@/help/topics";
import { useApi, useIdentity } from "@/session/SessionContext";
import { type Starter, startersFor } from "./starters";
import { useDeployment } from "./useDeployment";
import styles from "./welcome.module.css";

const ICONS = {
  ask: MessageCircleQuestion,
  remind: BellRing,
  watch: Eye,
  report: CalendarClock,
  help: ListTree,
} as const;

export function EmptyThread() {
  const { name } = useIdentity();
  const { name: assistant, greeting } = useBrand();
  return (
    <div className={styles.welcome} data-testid="empty-state">
      <h2 dir="auto">{greeting || `What keeps you busy, ${name.split(/[\s@]/)[0]}?`}</h2>
      <p>
        Say it in your own words. {assistant} works out what you need, and does it or builds the agent that
        does.
      </p>
      <Starters />
      <Questions />
    </div>
  );
}

function Starters() {
  const threads = useThreadRegistry();
  const deployment = useDeployment();
  // The place is kept free, so that nothing jumps.
  const starters: readonly Starter[] = deployment ? startersFor(deployment) : [];
  return (
    <ul className={styles.starters} aria-label="What works right now">
      {starters.map(({ id, title, text, outcome }) => {
        const Icon = ICONS[id];
        return (
          <li key={id}>
            <button
              type="button"
              className={styles.starter}
              data-testid="starter"
              onClick={() => threads.compose(text, { send: true })}
            >
              <Icon size={18} aria-hidden />
              <b>{title}</b>
              <span>“{text}”</span>
              <span className={styles.outcome}>{outcome}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

const MOST_QUESTIONS = 3;
/** Of the product's own answers, those that a newcomer asks for. */
const FIRST = ["what-is-it", "connect-a-service", "where-data-is-stored"];

/** The workspace's own answers first, then the product's. */
function Questions() {
  const api = useApi();
  const { data } = useQuery({
    queryKey: queryKeys.help(""),
    queryFn: () => unwrap(api.GET("/v1/help", { params: { query: {} } })),
  });
  const all = data?.items ?? [];
  const own = groupByTopic(all).find(([topic]) => topic === "your workspace")?.[1] ?? [];
  const usual = FIRST.flatMap((id) => all.find((answer) => answer.id === id) ?? []);
  const shown = [...own, ...usual].slice(0, MOST_QUESTIONS);
  if (shown.length === 0) return null;
  return (
    <section className={styles.questions} aria-labelledby="first-questions" data-testid="first-questions">
      <h3 id="first-questions">Good to know</h3>
      {shown.map((answer) => (
        <details key={answer.id}>
          <summary>{answer.title}</summary>
          <p>{answer.text}</p>
        </details>
      ))}
    </section>
  );
}
