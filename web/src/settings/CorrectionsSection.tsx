/** What users of the workspace corrected, as it counts for everybody's messages. */

import { PagedList } from "@/lists/PagedList";
import { Button } from "@/ui/Controls";
import { useCorrections, useRemoveCorrection } from "./queries";
import styles from "./settings.module.css";

export function CorrectionsSection() {
  const remove = useRemoveCorrection();
  return (
    <>
      <p className={styles.hint}>Corrections of answers teach the assistant your workspace's own wording.</p>
      <PagedList list={useCorrections()} what="corrections" empty="Nobody has corrected anything yet.">
        {(correction) => (
          <div className={styles.row}>
            <div>
              {correction.wording === null ? "What was said" : <q dir="auto">{correction.wording}</q>} means{" "}
              {correction.act.replaceAll(/[._]/g, " ")}
              <small>
                Taught by <bdi>{correction.user}</bdi>, {correction.times} times
              </small>
            </div>
            <Button
              small
              disabled={remove.isPending}
              onClick={() => remove.mutate(correction.id)}
              data-testid="correction-remove"
            >
              Remove
              <span className="visually-hidden"> {correction.wording ?? `what ${correction.user} said`}</span>
            </Button>
          </div>
        )}
      </PagedList>
    </>
  );
}
