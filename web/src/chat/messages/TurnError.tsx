/** Error of a turn that was not answered, with its actions. */

import { RotateCw, TriangleAlert } from "lucide-react";
import { turnErrorMessage } from "@/chat/labels";
import { useThread, useThreadRegistry } from "@/chat/thread/ThreadContext";
import { useSession } from "@/session/SessionContext";
import type { Turn } from "@/stream/turn";
import { Button } from "@/ui/Controls";
import styles from "./TurnError.module.css";

export function TurnError({ turn }: { turn: Turn }) {
  const thread = useThread();
  const threads = useThreadRegistry();
  const discard = () => {
    const text = thread.discard(turn.key);
    if (turn.request.kind === "send" && text) threads.compose(text);
  };
  const session = useSession();
  const isSignedOut = turn.phase === "signed_out";
  const isWaiting = turn.phase === "unsent" || isSignedOut;
  return (
    <div className={styles.problem} role="alert" data-testid="turn-problem">
      <TriangleAlert size={16} aria-hidden />
      <p>
        <b>{isWaiting && !turn.turnId ? "Not sent." : "Not answered."}</b> {turnErrorMessage(turn)}
        {turn.error?.requestId && <small> Request {turn.error.requestId}</small>}
      </p>
      <div className={styles.problemActions}>
        {isSignedOut ? (
          <Button small onClick={() => void session.signIn().catch(() => undefined)}>
            Sign in
          </Button>
        ) : (
          <Button small onClick={() => thread.retry(turn.key)} data-testid="retry">
            <RotateCw size={14} aria-hidden /> Try again
          </Button>
        )}
        <Button small variant="quiet" onClick={discard} data-testid="discard">
          {turn.request.kind === "send" ? "Edit" : "Discard"}
        </Button>
      </div>
    </div>
  );
}
