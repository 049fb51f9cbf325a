/** Runs of an agent: one line for the last, and an expandable list of all. */

import { Ban, ChevronDown, CircleAlert, CircleCheck, CircleDashed, Clock } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { LoadMore } from "@/lists/LoadMore";
import { classNames, Spinner } from "@/ui/Controls";
import styles from "./agents.module.css";
import { formatDateTime, runStatus, timeAgo, triggerLabel } from "./labels";
import type { AgentCard, Run, useRuns } from "./queries";
import { usePolledRun } from "./queries";
import { RunDetails } from "./RunDetails";

export type RunsQuery = ReturnType<typeof useRuns>;

const FIRST_SHOWN = 5;

interface AgentRunsProps {
  card: AgentCard;
  /** The loaded runs of all agents. */
  runs: RunsQuery;
  isExpanded: boolean;
  setExpanded: (isExpanded: boolean) => void;
}

export function AgentRuns({ card, runs, isExpanded, setExpanded }: AgentRunsProps) {
  const listId = useId();
  const [shown, setShown] = useState(FIRST_SHOWN);
  const own = runs.items?.filter((run) => run.agent_id === card.id) ?? [];
  const [last] = own;
  if (!last && !runs.hasNextPage) return null;
  return (
    <div className={styles.runs}>
      <button
        type="button"
        className={styles.runsHead}
        aria-expanded={isExpanded}
        aria-controls={listId}
        onClick={() => setExpanded(!isExpanded)}
        data-testid="agent-runs"
      >
        <span>{last && !isExpanded ? "Last run" : "Last runs"}</span>
        {!isExpanded && last && <LastRun run={last} />}
        <ChevronDown size={16} aria-hidden className={classNames(styles.chevron, isExpanded && styles.up)} />
      </button>
      {isExpanded && (
        <div id={listId}>
          <ul className={styles.runList}>
            {own.slice(0, shown).map((run, index) => (
              <RunItem key={run.id} listed={run} isNewest={index === 0} />
            ))}
          </ul>
          {own.length > shown ? (
            <button
              type="button"
              className={styles.textButton}
              onClick={() => setShown(shown + 2 * FIRST_SHOWN)}
            >
              Show earlier runs
            </button>
          ) : (
            <LoadMore list={runs} label="Look for earlier runs" />
          )}
        </div>
      )}
    </div>
  );
}

function LastRun({ run: listed }: { run: Run }) {
  const run = usePolledRun(listed);
  const now = useNow();
  return (
    <span className={styles.lastRun}>
      <StatusIcon run={run} /> {runStatus(run).label}
      <span className={styles.ago}>{timeAgo(run.finished_at ?? run.created_at, now)}</span>
    </span>
  );
}

export function RunItem({ listed, isNewest }: { listed: Run; isNewest: boolean }) {
  const run = usePolledRun(listed);
  const [isExpanded, setExpanded] = useState(isNewest);
  const now = useNow();
  const detailsId = useId();
  return (
    <li className={styles.run} data-testid="run-item" data-status={run.status}>
      <button
        type="button"
        className={styles.runHead}
        aria-expanded={isExpanded}
        aria-controls={detailsId}
        onClick={() => setExpanded(!isExpanded)}
      >
        <StatusIcon run={run} />
        <span className={styles.runStatus}>{runStatus(run).label}</span>
        <span className={styles.ago} title={formatDateTime(run.created_at)}>
          {timeAgo(run.created_at, now)}, {triggerLabel(run)}
        </span>
        <ChevronDown size={15} aria-hidden className={classNames(styles.chevron, isExpanded && styles.up)} />
      </button>
      {isExpanded && (
        <div id={detailsId} className={styles.runBody}>
          <RunDetails run={run} />
        </div>
      )}
    </li>
  );
}

const ICONS = { good: CircleCheck, bad: CircleAlert, warn: CircleAlert, accent: Clock } as const;

function StatusIcon({ run }: { run: Run }) {
  if (run.status === "running") return <Spinner />;
  const { tone } = runStatus(run);
  const Icon = run.status === "cancelled" ? Ban : tone ? ICONS[tone] : CircleDashed;
  return <Icon size={16} aria-hidden className={tone ? styles[tone] : styles.plain} />;
}

const TICK_MS = 30_000;

/** The current time, updated often enough for a display in minutes. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
