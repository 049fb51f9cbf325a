/** Full-page screens for when the page is loading, or can't load. */

import { Button, Spinner } from "@/ui/Controls";
import { Logo } from "./Logo";
import styles from "./shell.module.css";

export function LoadingScreen() {
  return (
    <main className={styles.welcome} aria-busy="true">
      <Spinner />
      <span className="visually-hidden">Loading</span>
    </main>
  );
}

/** The page's settings can't be loaded. */
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
