/** The brief of an agent: what its owner wants, in the owner's own words. The owner can edit it. */

import { Pencil } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button, Field, IconButton, TextArea } from "@/ui/Controls";
import { Dialog, DialogActions } from "@/ui/Dialog";
import styles from "./agents.module.css";
import { type Agent, type AgentCard, useUpdateAgent } from "./queries";

const MAX_CHARACTERS = 8_000;

export function Brief({ card, agent, isOwn }: { card: AgentCard; agent: Agent; isOwn: boolean }) {
  const [isEditing, setEditing] = useState(false);
  if (!agent.brief && !isOwn) return null;
  return (
    <div className={styles.brief}>
      {agent.brief ? <q data-testid="agent-brief">{agent.brief}</q> : <span>No brief yet</span>}
      {isOwn && (
        <IconButton
          small
          label={`Edit the brief of ${card.name}`}
          onClick={() => setEditing(true)}
          data-testid="agent-brief-edit"
        >
          <Pencil size={15} aria-hidden />
        </IconButton>
      )}
      {isEditing && <BriefDialog card={card} brief={agent.brief ?? ""} onClose={() => setEditing(false)} />}
    </div>
  );
}

function BriefDialog({ card, brief, onClose }: { card: AgentCard; brief: string; onClose: () => void }) {
  const [text, setText] = useState(brief);
  const change = useUpdateAgent(card);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== brief) change.mutate({ brief: text.trim() });
    onClose();
  };
  return (
    <Dialog title={`What should ${card.name} do?`} onClose={onClose} testId="brief-dialog">
      <form onSubmit={submit}>
        <Field label="In your own words">
          <TextArea
            rows={8}
            maxLength={MAX_CHARACTERS}
            value={text}
            onChange={(event) => setText(event.target.value)}
            data-first
            data-testid="brief-text"
          />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" data-testid="brief-save">
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
