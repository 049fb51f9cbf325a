/** Shown in place of messages while they, or the chat itself, are loaded. */

import { Skeleton } from "@/ui/Controls";
import styles from "./ThreadPlaceholders.module.css";

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
