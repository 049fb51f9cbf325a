/**
 * State of a form: what the user entered, kept as a draft until it is saved, so that a closed panel or an expired
 * session loses nothing.
 */

import { type FormEvent, useRef, useState } from "react";
import { ApiError } from "@/api/apiError";
import { useUserStorage } from "@/session/SessionContext";
import { announce } from "@/ui/Announcer";
import {
  type ControlValue,
  fromControl,
  isSame,
  nested,
  rulesOf,
  type SchemaName,
  toControl,
  valueAt,
} from "./fields";

/** Nothing was saved, for a reason that the form tells. */
export class NotSaved extends Error {}

/** The stored values are not those that the form began with. */
export class ChangedMeanwhile extends NotSaved {
  constructor(readonly current: object) {
    super("Somebody else has changed this meanwhile. Nothing was saved; what changed is marked.");
  }
}

export interface Submission {
  /** The values that the user changed. */
  changed: Record<string, unknown>;
  /** All values of the form. */
  all: Record<string, unknown>;
  /** The same for every try to send this form. */
  key: string;
}

export interface FormOptions {
  schema: SchemaName;
  /** Identifies the form, and its draft. */
  id: string;
  names: readonly string[];
  /** The values to begin with, as the API has them. */
  initial: object;
  submit: (submission: Submission) => Promise<unknown>;
  onDone?: (result: never) => void;
}

interface Draft {
  edits: Record<string, ControlValue>;
  key: string;
}

type Controls = Record<string, ControlValue>;

export function useForm({ schema, id, names, initial, submit, onDone }: FormOptions) {
  const storage = useUserStorage();
  const stored = `form:${id}`;
  const controlsOf = (values: object): Controls =>
    Object.fromEntries(names.map((name) => [name, toControl(valueAt(values, name), rulesOf(schema, name))]));
  const [base, setBase] = useState(() => controlsOf(initial));
  const [draft, setDraft] = useState<Draft>(
    () => storage.get<Draft>(stored) ?? { edits: {}, key: crypto.randomUUID() },
  );
  const [isRestored, setRestored] = useState(Object.keys(draft.edits).length > 0);
  const [conflicts, setConflicts] = useState<Controls>({});
  const [error, setError] = useState<Error | null>(null);
  const [isPending, setPending] = useState(false);
  const isSending = useRef(false);

  const keep = (edits: Record<string, ControlValue>) => {
    const after = { ...draft, edits };
    setDraft(after);
    if (Object.keys(edits).length > 0) storage.set(stored, after);
    else storage.remove(stored);
  };
  const discard = () => {
    storage.remove(stored);
    setDraft({ edits: {}, key: crypto.randomUUID() });
    setRestored(false);
    setError(null);
    setConflicts({});
  };
  const valuesOf = (controls: Controls) =>
    nested(
      Object.fromEntries(
        Object.entries(controls).map(([name, value]) => [name, fromControl(value, rulesOf(schema, name))]),
      ),
    );
  const rebase = (current: object) => {
    const now = controlsOf(current);
    const changed = names.filter((name) => !isSame(now[name] ?? "", base[name] ?? ""));
    setConflicts(Object.fromEntries(changed.map((name) => [name, now[name] ?? ""])));
    setBase(now);
    keep(withoutSame(draft.edits, now));
  };

  return {
    values: { ...base, ...draft.edits } as Controls,
    conflicts,
    error,
    isPending,
    isRestored,
    isChanged: Object.keys(draft.edits).length > 0,
    discard,
    change(name: string, value: ControlValue) {
      setError(null);
      keep(withoutSame({ ...draft.edits, [name]: value }, base));
    },
    async onSubmit(event: FormEvent) {
      event.preventDefault();
      // A second click arrives before the button is drawn as disabled.
      if (isSending.current) return;
      isSending.current = true;
      setPending(true);
      setError(null);
      try {
        const all = valuesOf({ ...base, ...draft.edits });
        const result = await submit({ changed: valuesOf(draft.edits), all, key: draft.key });
        setBase({ ...base, ...draft.edits });
        discard();
        announce("Saved.");
        onDone?.(result as never);
      } catch (cause) {
        if (cause instanceof ChangedMeanwhile) rebase(cause.current);
        setError(cause instanceof NotSaved ? cause : ApiError.from(cause));
      } finally {
        isSending.current = false;
        setPending(false);
      }
    },
  };
}

function withoutSame(edits: Record<string, ControlValue>, base: Controls): Record<string, ControlValue> {
  return Object.fromEntries(
    Object.entries(edits).filter(([name, value]) => !isSame(value, base[name] ?? "")),
  );
}
