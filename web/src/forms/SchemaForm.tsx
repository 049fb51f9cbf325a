/** A form for a request body of the API: its fields in groups, what went wrong, and the buttons. */

import type { ReactNode } from "react";
import { Button } from "@/ui/Controls";
import { type FieldSpec, FormField } from "./FormField";
import { rulesOf } from "./fields";
import styles from "./forms.module.css";
import { type FormOptions, useForm } from "./useForm";

export interface FieldGroup {
  title: string;
  fields: readonly FieldSpec[];
  /** Whether the group is folded in. */
  isFolded?: boolean;
}

interface SchemaFormProps extends Omit<FormOptions, "names"> {
  groups: readonly FieldGroup[];
  submitLabel: string;
  onCancel?: () => void;
  /** Shown above the buttons, for the values as they are. */
  children?: ReactNode;
}

export function SchemaForm({ groups, submitLabel, onCancel, children, ...options }: SchemaFormProps) {
  const names = groups.flatMap((group) => group.fields.map((field) => field.name));
  const form = useForm({ ...options, names });
  const field = (spec: FieldSpec) => (
    <FormField
      key={spec.name}
      spec={spec}
      rules={rulesOf(options.schema, spec.name)}
      value={form.values[spec.name] ?? ""}
      conflict={form.conflicts[spec.name]}
      onChange={(value) => form.change(spec.name, value)}
    />
  );
  return (
    <form
      className={styles.form}
      onSubmit={(event) => void form.onSubmit(event)}
      data-testid={`form-${options.id}`}
    >
      {form.isRestored && (
        <p className={styles.restored} role="status" data-testid="form-restored">
          What you had entered here is back.
          <Button small onClick={form.discard}>
            Start over
          </Button>
        </p>
      )}
      {groups.map((group) => (
        <Group key={group.title} group={group}>
          {group.fields.map(field)}
        </Group>
      ))}
      {children}
      {form.error && (
        <p className={styles.problem} role="alert" data-testid="form-problem">
          {form.error.message}
        </p>
      )}
      <div className={styles.buttons}>
        {onCancel && (
          <Button
            onClick={() => {
              form.discard();
              onCancel();
            }}
          >
            Cancel
          </Button>
        )}
        <Button
          variant="primary"
          type="submit"
          disabled={form.isPending || (!form.isChanged && !onCancel)}
          data-testid="form-save"
        >
          {form.isPending ? "Saving…" : submitLabel}
        </Button>
      </div>
    </form>
  );
}

function Group({ group, children }: { group: FieldGroup; children: ReactNode }) {
  if (group.isFolded)
    return (
      <details className={styles.group}>
        <summary>{group.title}</summary>
        {children}
      </details>
    );
  return (
    <fieldset className={styles.group}>
      <legend>{group.title}</legend>
      {children}
    </fieldset>
  );
}
