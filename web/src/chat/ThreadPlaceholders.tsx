/** Shown in place of messages that can't be read. */

import { useEffect } from "react";
import { Link } from "wouter";
import type { ApiError } from "@/api/apiError";
import { useThread } from "@/chat/thread/ThreadContext";
import { NEW_CHAT_PATH, useForgetLastConversation } from "@/shell/routes";
import { Button } from "@/ui/Controls";
import { errorMessage } from "./labels";
import styles from "./ThreadPlaceholders.module.css";

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
