/** Asks to type a name before something is erased for good. */

import { type FormEvent, useState } from "react";
import { Button, Field, Input } from "@/ui/Controls";
import { Dialog, DialogActions, DialogText } from "@/ui/Dialog";
import { type Erased, type Erasure, useErase } from "./queries";

export function EraseDialog(props: {
  erased: Erased;
  /** What the user types to confirm. */
  name: string;
  text: string;
  onBegun: (erasure: Erasure) => void;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState("");
  const erase = useErase((erasure) => {
    props.onBegun(erasure);
    props.onClose();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!erase.isPending) erase.mutate(props.erased);
  };
  return (
    <Dialog title="Erase for good?" onClose={props.onClose} testId="erase-dialog">
      <form onSubmit={submit}>
        <DialogText>{props.text}</DialogText>
        <Field label={`Type ${props.name} to confirm`}>
          <Input
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            data-first
            data-testid="erase-name"
          />
        </Field>
        <DialogActions>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button
            variant="danger"
            type="submit"
            disabled={typed !== props.name || erase.isPending}
            data-testid="erase-confirm"
          >
            Erase
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
