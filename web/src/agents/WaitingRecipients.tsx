/** Mail recipients of an agent that have not confirmed yet, each with a field for the code that it was mailed. */

import { MailQuestion } from "lucide-react";
import { type FormEvent, useState } from "react";
import { ApiError } from "@/api/apiError";
import { Button, Field, Input } from "@/ui/Controls";
import styles from "./agents.module.css";
import type { Agent } from "./queries";
import { useConfirmRecipient, useMailRecipients } from "./recipientQueries";

const CODE = "[0-9]([ \\-]?[0-9]){7}";

export function WaitingRecipients({ agent }: { agent: Agent }) {
  const own = agent.delivery?.recipients.filter((recipient) => recipient.includes("@")) ?? [];
  const { data } = useMailRecipients(own.length > 0);
  const waiting = data?.items.filter(({ address, status }) => status === "pending" && own.includes(address));
  return waiting?.map(({ address }) => <WaitingRecipient key={address} address={address} />);
}

function WaitingRecipient({ address }: { address: string }) {
  const [code, setCode] = useState("");
  const confirm = useConfirmRecipient(address);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate(code);
  };
  return (
    <form className={styles.waiting} onSubmit={submit} data-testid="agent-recipient">
      <p>
        <MailQuestion size={15} aria-hidden /> {address} has to confirm before it gets results. It was mailed
        a code.
      </p>
      <Field label={`Code of ${address}`}>
        <Input
          value={code}
          onChange={(event) => setCode(event.target.value)}
          pattern={CODE}
          title="Eight digits"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          data-testid="agent-recipient-code"
        />
      </Field>
      <Button small type="submit" disabled={confirm.isPending} data-testid="agent-recipient-confirm">
        Confirm
      </Button>
      {confirm.error && <p role="alert">{ApiError.from(confirm.error).message}</p>}
    </form>
  );
}
