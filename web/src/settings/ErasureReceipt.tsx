/** How far an erasure is, and in the end its receipt: what was removed, what is held, and what it does not reach. */

import { formatDateTime } from "@/agents/labels";
import { Button } from "@/ui/Controls";
import { type Erasure, useErasure } from "./queries";
import styles from "./settings.module.css";

const STATES: Record<Erasure["state"], string> = {
  running: "Under way",
  settling: "Everything is removed; late requests are waited for",
  held: "Finished, but something is under a legal hold",
  done: "Finished",
};

const UNREACHED: Record<string, string> = {
  backups: "backups, until they expire",
  skill_secrets: "secrets of skills, which the operator keeps",
};

export function ErasureReceipt({ id }: { id: string }) {
  const { data, error } = useErasure(id);
  if (!data)
    return (
      <p className={styles.hint} role="status">
        {error ? `The erasure ${id} can't be read right now.` : "Erasing…"}
      </p>
    );
  return <Receipt erasure={data} />;
}

export function Receipt({ erasure }: { erasure: Erasure }) {
  const removed = Object.entries(erasure.removed).filter(([, count]) => count > 0);
  return (
    <div className={styles.block} aria-live="polite" data-testid="erasure-receipt" data-state={erasure.state}>
      <dl className={styles.facts}>
        <dt>Receipt</dt>
        <dd>{erasure.id}</dd>
        <dt>Of</dt>
        <dd>
          <bdi>{erasure.subject}</bdi>
        </dd>
        <dt>State</dt>
        <dd>{STATES[erasure.state]}</dd>
        <dt>Asked</dt>
        <dd>
          {formatDateTime(erasure.asked_at)} by <bdi>{erasure.asked_by}</bdi>
        </dd>
        <dt>Removed</dt>
        <dd>
          {removed.map(([what, count]) => `${count} ${what.replaceAll("_", " ")}`).join(", ") ||
            "nothing yet"}
        </dd>
        {erasure.held > 0 && (
          <>
            <dt>Held</dt>
            <dd>
              {erasure.held}: {erasure.held_conversations.join(", ")}
            </dd>
          </>
        )}
        <dt>Not reached</dt>
        <dd>{erasure.not_reached.map((each) => UNREACHED[each] ?? each).join("; ") || "nothing"}</dd>
      </dl>
      <div className={styles.actions}>
        <Button small onClick={() => saveReceipt(erasure)}>
          Save the receipt
        </Button>
      </div>
    </div>
  );
}

function saveReceipt(erasure: Erasure): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(erasure, null, 2)], { type: "application/json" }));
  link.download = `erasure-${erasure.id}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
