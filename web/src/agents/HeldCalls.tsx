/** Calls that a run was kept from making, each with a button that has it made once, exactly as it is. */

import { useState } from "react";
import { Button } from "@/ui/Controls";
import { ConfirmDialog } from "@/ui/Dialog";
import styles from "./agents.module.css";
import { type Run, useApproveCall } from "./queries";

type HeldCall = NonNullable<Run["held_calls"]>[number];

const REASONS: Record<HeldCall["reason"], string> = {
  not_asked: "you did not ask for it",
  outside_text: "a text from outside may have led to it",
  other_source: "it would pass on what another source returned",
  personal_data: "it would pass on personal data",
};

export function HeldCalls({ run }: { run: Run }) {
  const held = run.held_calls?.filter((call) => !call.approved_by) ?? [];
  return held.map((call) => <Held key={call.id} run={run} call={call} />);
}

function Held({ run, call }: { run: Run; call: HeldCall }) {
  const approve = useApproveCall(run);
  const [isAsking, setAsking] = useState(false);
  return (
    <div className={styles.missing} data-testid="run-held-call">
      <span>
        It did not call {call.tool}
        {call.host && ` (${call.host})`}, because {REASONS[call.reason]}.
      </span>
      <Button small disabled={approve.isPending || approve.isSuccess} onClick={() => setAsking(true)}>
        {approve.isSuccess ? "Approved" : "Look at it"}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Have ${call.tool} called?`}
          text={`With exactly this, once: ${call.arguments}`}
          action="Call it"
          onConfirm={() => approve.mutate(call.id)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
