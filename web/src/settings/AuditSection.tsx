/** The audit log: who decided what, newest first. */

import { formatDateTime } from "@/agents/labels";
import type { Schemas } from "@/api/client";
import { PagedList } from "@/lists/PagedList";
import { useAudit } from "./queries";
import styles from "./settings.module.css";

type Entry = Schemas["AuditView"];

export function AuditSection() {
  return (
    <PagedList list={useAudit()} what="records" empty="Nothing has been decided yet.">
      {(entry) => <AuditRow entry={entry} />}
    </PagedList>
  );
}

function AuditRow({ entry }: { entry: Entry }) {
  const changes = changedValues(entry);
  return (
    <>
      <b>{sentence(entry.act)}</b>
      <div className={styles.hint}>
        {formatDateTime(entry.at)}, by <bdi>{entry.actor}</bdi>
        {entry.subject && (
          <>
            {": "}
            <bdi>{entry.subject}</bdi>
          </>
        )}
      </div>
      {changes && <div className={styles.values}>{changes}</div>}
    </>
  );
}

const sentence = (act: string): string => {
  const words = act.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The values that differ before and after, one a line. */
function changedValues({ before, after }: Entry): string {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const text = (value: unknown) => (value === undefined ? "–" : JSON.stringify(value));
  return [...names]
    .filter((name) => text(before?.[name]) !== text(after?.[name]))
    .map((name) => `${name}: ${text(before?.[name])} → ${text(after?.[name])}`)
    .join("\n");
}
