/** The sign-in screen, and the dialog that asks to sign in again. */

import { useState } from "react";
import { useSession } from "@/session/SessionContext";
import { Button } from "@/ui/Controls";
import { Dialog, DialogActions, DialogText } from "@/ui/Dialog";
import { Logo } from "./Logo";
import styles from "./shell.module.css";

export function SignInScreen({ problem }: { problem?: string | undefined }) {
  const session = useSession();
  const [isLeaving, setLeaving] = useState(false);
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
        disabled={isLeaving}
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

/** Shown over the page when the API rejects the token. */
export function SignInAgainDialog() {
  const session = useSession();
  const [hasFailed, setFailed] = useState(false);
  const [isHidden, setHidden] = useState(false);
  if (isHidden) return null;
  return (
    <Dialog title="Please sign in again" onClose={() => setHidden(true)} testId="sign-in-again">
      <DialogText>
        Your session has ended. Your message is kept here and goes on as soon as you are back.
      </DialogText>
      {hasFailed && (
        <DialogText>The sign-in can't be reached right now. Please try again in a moment.</DialogText>
      )}
      <DialogActions>
        <Button onClick={() => setHidden(true)}>Not now</Button>
        <Button
          variant="primary"
          data-first
          onClick={() => void session.signIn().catch(() => setFailed(true))}
          data-testid="sign-in"
        >
          Sign in
        </Button>
      </DialogActions>
    </Dialog>
  );
}
