/** Shown in place of a list: a skeleton while loading, an error, or an empty state. */

import type { ReactNode } from "react";
import { ApiError } from "@/api/apiError";
import { Button, Skeleton } from "@/ui/Controls";
import styles from "./lists.module.css";

export function ListLoading({ what, height }: { what: string; height: number }) {
  return (
    <div className={styles.loading} aria-busy="true">
      <span className="visually-hidden" role="status">
        Loading {what}
      </span>
      <Skeleton height={height} />
      <Skeleton height={height} />
      <Skeleton height={height} />
    </div>
  );
}

export function ListError({ what, error, onRetry }: { what: string; error: unknown; onRetry: () => void }) {
  return (
    <div className={styles.state} role="alert">
      <b>Your {what} can't be read right now</b>
      <p>{ApiError.from(error).message}</p>
      <Button small onClick={onRetry} data-testid="retry">
        Try again
      </Button>
    </div>
  );
}

export function ListEmpty({
  icon,
  title,
  children,
}: {
  icon: ReactNode;
  title: string;
  children: ReactNode;
}) {
  return (
    <div className={styles.state}>
      {icon}
      <b>{title}</b>
      {children}
    </div>
  );
}
