/** What is seen before signing in, and over the page when the session has ended. */

import { useState } from "react";
import { useSession } from "@/session/SessionContext";
import { Button, Spinner } from "@/ui/Controls";
import { Dialog, DialogActions, DialogText } from "@/ui/Dialog";
import { Logo } from "./Logo";
import styles from "./shell.module.css";

export function SignInScreen({ problem }: { problem?: string | undefined }) {
  const session = useSession();
  const [leaving, setLeaving] = useState(false);
  return (
    <main className={styles.welcome} data-testid="welcome">
      <Logo size={56} />
      <h1>OmniForge</h1>
      <p>Say what keeps you busy. OmniForge builds the agents that do it, and tells you what they did.</p>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <Button
        variant="primary"
        disabled={leaving}
        data-testid="sign-in"
        onClick={() => {
          setLeaving(true);
          void session.signIn().finally(() => setLeaving(false));
        }}
      >
        Sign in
      </Button>
    </main>
  );
}

/** Over the page while the API takes the token no longer. */
export function SignInAgainDialog() {
  const session = useSession();
  const [problem, setProblem] = useState(false);
  const [hidden, setHidden] = useState(false);
  if (hidden) return null;
  return (
    <Dialog title="Please sign in again" onClose={() => setHidden(true)} testId="sign-in-again">
      <DialogText>
        Your session has ended. Your message is kept here and goes on as soon as you are back.
      </DialogText>
      {problem && (
        <DialogText>The sign-in can't be reached right now. Please try again in a moment.</DialogText>
      )}
      <DialogActions>
        <Button onClick={() => setHidden(true)}>Not now</Button>
        <Button
          variant="primary"
          data-first
          onClick={() => void session.signIn().catch(() => setProblem(true))}
          data-testid="sign-in"
        >
          Sign in
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function LoadingScreen() {
  return (
    <main className={styles.welcome} aria-busy="true">
      <Spinner />
      <span className="visually-hidden">Loading</span>
    </main>
  );
}

/** The page can't even learn how to sign in. */
export function UnavailableScreen({ onRetry }: { onRetry: () => void }) {
  return (
    <main className={styles.welcome}>
      <Logo size={56} />
      <h1>OmniForge can't be reached</h1>
      <p role="alert">The service does not answer at the moment. Check your connection and try again.</p>
      <Button variant="primary" onClick={onRetry}>
        Try again
      </Button>
    </main>
  );
}
