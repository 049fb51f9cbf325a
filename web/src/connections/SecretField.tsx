/**
 * A secret of the workspace: saved, replaced or removed. Its value goes from the field to the service, and nowhere
 * else: it is no part of a form's draft, of the query cache or of the chat, and it never comes back.
 */

import { type ComponentProps, useState } from "react";
import { formatDateTime } from "@/agents/labels";
import { Button, Field, Input } from "@/ui/Controls";
import { ConfirmDialog } from "@/ui/Dialog";
import styles from "./connections.module.css";
import { MAX_SECRET, type StoredSecret, useRemoveSecret, useSecrets, useStoreSecret } from "./secretQueries";

/**
 * A field for a secret. The browser neither keeps it nor offers to. It takes no `value`, which React would write into
 * the document.
 */
export const SecretInput = (props: Omit<ComponentProps<"input">, "value" | "defaultValue">) => (
  <Input
    {...props}
    type="password"
    autoComplete="off"
    spellCheck={false}
    maxLength={MAX_SECRET}
    data-1p-ignore
    data-lpignore="true"
  />
);

interface SecretFieldProps {
  name: string;
  /** What it is, such as `Key of notes`. */
  label: string;
  onChange?: () => void;
}

export function SecretField({ name, label, onChange }: SecretFieldProps) {
  const secrets = useSecrets();
  const [isEntering, setEntering] = useState(false);
  if (!secrets.items) return <span>…</span>;
  const stored = secrets.items.find((each) => each.name === name);
  if (isEntering)
    return (
      <SecretEntry
        name={name}
        label={label}
        onDone={() => {
          setEntering(false);
          onChange?.();
        }}
        onCancel={() => setEntering(false)}
      />
    );
  return (
    <div className={styles.secret} data-testid={`secret-${name}`}>
      <span>{stored ? <Saved secret={stored} /> : "Not saved here"}</span>
      <Button small onClick={() => setEntering(true)} data-testid="secret-replace">
        {stored ? "Replace" : "Enter it"}
        <span className="visually-hidden"> {label}</span>
      </Button>
      {stored && <RemoveSecret name={name} label={label} {...(onChange ? { onRemoved: onChange } : {})} />}
    </div>
  );
}

export const Saved = ({ secret }: { secret: StoredSecret }) => (
  <>
    Saved {formatDateTime(secret.set_at)}
    {secret.set_by && (
      <>
        {" "}
        by <bdi>{secret.set_by}</bdi>
      </>
    )}
  </>
);

function RemoveSecret(props: { name: string; label: string; onRemoved?: () => void }) {
  const remove = useRemoveSecret();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button small variant="danger" onClick={() => setAsking(true)} data-testid="secret-remove">
        Remove<span className="visually-hidden"> {props.label}</span>
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Remove the secret ${props.name}?`}
          text="What is called with it does not work any more. Nobody can read it back."
          action="Remove"
          onConfirm={() => remove.mutate(props.name, { onSuccess: () => props.onRemoved?.() })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

/** The field for a new value. */
export function SecretEntry(props: {
  name: string;
  label: string;
  onDone: () => void;
  onCancel?: () => void;
}) {
  const [value, setValue] = useState("");
  const store = useStoreSecret(props.onDone);
  return (
    <form
      className={styles.secretForm}
      onSubmit={(event) => {
        event.preventDefault();
        store.mutate({ name: props.name, value });
      }}
      data-testid={`secret-form-${props.name}`}
    >
      <Field label={props.label}>
        <SecretInput required onChange={(event) => setValue(event.target.value)} data-testid="secret-value" />
      </Field>
      <div className={styles.actions}>
        {props.onCancel && (
          <Button small onClick={props.onCancel}>
            Cancel
          </Button>
        )}
        <Button
          small
          variant="primary"
          type="submit"
          disabled={store.isPending || value.trim() === ""}
          data-testid="secret-save"
        >
          {store.isPending ? "Saving…" : "Save"}
        </Button>
      </div>
    </form>
  );
}
