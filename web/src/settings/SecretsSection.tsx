/** The workspace's secrets: which there are, and fields to replace, remove and add one. */

import { useState } from "react";
import { SecretEntry, SecretField } from "@/connections/SecretField";
import { useSecrets } from "@/connections/secretQueries";
import { PagedList } from "@/lists/PagedList";
import { Button, Field, Input } from "@/ui/Controls";
import styles from "./settings.module.css";

/** What results for webhooks are signed with. */
const SIGNING_KEY = "results";

export function SecretsSection() {
  const secrets = useSecrets();
  const [isAdding, setAdding] = useState(false);
  const isSigning = secrets.items?.some(({ name }) => name === SIGNING_KEY) ?? true;
  return (
    <>
      <p className={styles.hint}>
        Keys and tokens that connections are called with. They can be replaced and removed, and nobody can
        read them: not here, not in the chat. Each connection has a field for its own.
        {!isSigning && " Results for webhooks are signed once there is a secret named results."}
      </p>
      {isAdding ? (
        <NewSecret onDone={() => setAdding(false)} />
      ) : (
        <div className={styles.actions}>
          <Button variant="primary" onClick={() => setAdding(true)} data-testid="secret-add">
            Add a secret
          </Button>
        </div>
      )}
      <PagedList list={secrets} what="secrets" empty="No secrets are saved here.">
        {(secret) => (
          <div className={styles.row}>
            <div>
              <b>{secret.name}</b>
              <SecretField name={secret.name} label={secret.name} />
            </div>
          </div>
        )}
      </PagedList>
    </>
  );
}

function NewSecret({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState("");
  return (
    <div>
      <Field label="Name">
        <Input
          value={name}
          autoComplete="off"
          maxLength={64}
          placeholder={SIGNING_KEY}
          onChange={(event) => setName(event.target.value.trim().toLowerCase())}
          data-testid="secret-name"
        />
      </Field>
      <SecretEntry name={name || SIGNING_KEY} label="Secret" onDone={onDone} onCancel={onDone} />
    </div>
  );
}
