/** Shown in place of messages: examples for a new chat, a skeleton while loading, or an error. */

import { BellRing, CalendarClock, FileSearch, ListTree } from "lucide-react";
import { useEffect } from "react";
import { Link } from "wouter";
import type { ApiError } from "@/api/apiError";
import { useThread, useThreadRegistry } from "@/chat/thread/ThreadContext";
import { useIdentity } from "@/session/SessionContext";
import { NEW_CHAT_PATH, useForgetLastConversation } from "@/shell/routes";
import { Button, Skeleton } from "@/ui/Controls";
import { errorMessage } from "./labels";
import styles from "./ThreadPlaceholders.module.css";

const EXAMPLES = [
  {
    icon: CalendarClock,
    title: "Hand over a chore",
    text: "Our team wastes hours every Monday compiling project updates from Notion",
  },
  {
    icon: BellRing,
    title: "Keep an eye on something",
    text: "Watch our Jira board for overdue tickets and alert me on Slack",
  },
  {
    icon: FileSearch,
    title: "Get something done now",
    text: "Summarize last week's customer feedback for me",
  },
  { icon: ListTree, title: "See what is there", text: "List my agents" },
] as const;

export function EmptyThread() {
  const threads = useThreadRegistry();
  const { name } = useIdentity();
  return (
    <div className={styles.empty} data-testid="empty-state">
      <h2>What keeps you busy, {name.split(/[\s@]/)[0]}?</h2>
      <p>Say it in your own words. OmniForge works out what you need and builds the agent that does it.</p>
      <div className={styles.examples}>
        {EXAMPLES.map(({ icon: Icon, title, text }) => (
          <button
            key={text}
            type="button"
            className={styles.example}
            data-testid="example"
            onClick={() => threads.compose(text)}
          >
            <Icon size={18} aria-hidden />
            <b>{title}</b>
            <span>{text}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

export function LoadingMessages() {
  return (
    <div className={styles.placeholder} aria-busy="true" data-testid="loading-messages">
      <span className="visually-hidden" role="status">
        Loading the conversation
      </span>
      <div className={styles.placeholderUser}>
        <Skeleton width={220} height={38} />
      </div>
      <Skeleton width="92%" />
      <Skeleton width="85%" />
      <Skeleton width="60%" />
      <div className={styles.placeholderUser}>
        <Skeleton width={160} height={38} />
      </div>
      <Skeleton width="88%" />
      <Skeleton width="70%" />
    </div>
  );
}

export function LoadError({ problem }: { problem: ApiError }) {
  const thread = useThread();
  const isNotFound = problem.status === 404;
  const forget = useForgetLastConversation();
  useEffect(() => {
    if (isNotFound) forget();
  }, [isNotFound, forget]);
  return (
    <div className={styles.empty} role="alert" data-testid="not-readable">
      <h2>{isNotFound ? "This conversation does not exist" : "The conversation can't be read right now"}</h2>
      <p>{isNotFound ? "It was deleted, or the address is not quite right." : errorMessage(problem)}</p>
      {isNotFound ? (
        <Link href={NEW_CHAT_PATH}>Start a new chat</Link>
      ) : (
        <Button variant="primary" onClick={() => void thread.refresh()} data-testid="retry">
          Try again
        </Button>
      )}
    </div>
  );
}
