/** Erases all there is of another user of the workspace. */

import { type FormEvent, useState } from "react";
import { Button, Field, Input } from "@/ui/Controls";
import { EraseDialog } from "./EraseDialog";
import { ErasureReceipt } from "./ErasureReceipt";
import styles from "./settings.module.css";

export function UserErasureSection() {
  const [user, setUser] = useState("");
  const [asked, setAsked] = useState<string | null>(null);
  const [erasure, setErasure] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(user.trim());
  };
  return (
    <>
      <p className={styles.hint}>
        Erases a user's conversations, agents, tasks and connections for good, and gives a receipt.
      </p>
      <form className={styles.controls} onSubmit={submit}>
        <Field label="User, as the sign-in names them">
          <Input
            value={user}
            onChange={(event) => setUser(event.target.value)}
            required
            maxLength={256}
            autoComplete="off"
            data-testid="erase-user"
          />
        </Field>
        <Button variant="danger" type="submit">
          Erase…
        </Button>
      </form>
      {asked && (
        <EraseDialog
          erased={{ scope: "user", id: asked }}
          name={asked}
          text="Everything the service has of this user is erased for good."
          onBegun={({ id }) => setErasure(id)}
          onClose={() => setAsked(null)}
        />
      )}
      {erasure && <ErasureReceipt id={erasure} />}
    </>
  );
}
