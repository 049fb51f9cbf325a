/** The client that an administrator registered at a service that accepts no clients of unknown applications. */

import { useState } from "react";
import { Button, Field, Input } from "@/ui/Controls";
import styles from "./connections.module.css";
import { SecretInput } from "./SecretField";
import { useStoreSecret } from "./secretQueries";

export interface ClientNeeds {
  /** The name of the secret that holds the client. */
  secret: string;
  redirectUri: string;
  /** Where the service's own guide is. */
  guide: string | null;
}

interface ClientFormProps {
  title: string;
  needs: ClientNeeds;
  onDone: () => void;
  onCancel: () => void;
}

export function ClientForm({ title, needs, onDone, onCancel }: ClientFormProps) {
  const [id, setId] = useState("");
  const [secret, setSecret] = useState("");
  const store = useStoreSecret(onDone);
  return (
    <form
      className={styles.secretForm}
      aria-label={`Client of ${title}`}
      onSubmit={(event) => {
        event.preventDefault();
        const value = JSON.stringify({ client_id: id.trim(), client_secret: secret.trim() });
        store.mutate({ name: needs.secret, value });
      }}
      data-testid="client-form"
    >
      <p className={styles.hint}>
        Register a client at {title}
        {needs.guide && (
          <>
            {" "}
            (
            <a href={needs.guide} target="_blank" rel="noreferrer">
              how
            </a>
            )
          </>
        )}{" "}
        with this redirect address: <code>{needs.redirectUri}</code>
      </p>
      <Field label="Client id">
        <Input
          value={id}
          required
          autoComplete="off"
          maxLength={500}
          onChange={(event) => setId(event.target.value)}
          data-testid="client-id"
        />
      </Field>
      <Field label="Client secret">
        <SecretInput
          required
          onChange={(event) => setSecret(event.target.value)}
          data-testid="client-secret"
        />
      </Field>
      <div className={styles.actions}>
        <Button small onClick={onCancel}>
          Cancel
        </Button>
        <Button small variant="primary" type="submit" disabled={store.isPending} data-testid="client-save">
          {store.isPending ? "Saving…" : "Save"}
        </Button>
      </div>
    </form>
  );
}
