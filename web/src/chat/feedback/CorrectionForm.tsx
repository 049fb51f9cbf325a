/** Dialog that asks what the right answer would have been. */

import { type FormEvent, useState } from "react";
import type { Schemas } from "@/api/client";
import { CORRECTION_OPTIONS } from "@/chat/labels";
import { Button, Field, Input, TextArea } from "@/ui/Controls";
import { Dialog, DialogActions, DialogText } from "@/ui/Dialog";
import styles from "./feedback.module.css";

const MAX_CHARACTERS = 2_000;
const OTHER = "other";

interface CorrectionFormProps {
  /** The feedback given before, if any. */
  feedback: Schemas["FeedbackView"] | null;
  onSend: (correction: string | null, comment: string | null) => void;
  onClose: () => void;
}

export function CorrectionForm({ feedback, onSend, onClose }: CorrectionFormProps) {
  const before = feedback?.correction ?? "";
  const isAction = CORRECTION_OPTIONS.some(([action]) => action === before);
  const [choice, setChoice] = useState(isAction ? before : before ? OTHER : "");
  const [other, setOther] = useState(isAction ? "" : before);
  const [comment, setComment] = useState(feedback?.comment ?? "");
  const send = (event: FormEvent) => {
    event.preventDefault();
    const correction = choice === OTHER ? other.trim() : choice;
    onSend(correction || null, comment.trim() || null);
    onClose();
  };
  return (
    <Dialog title="What would have been right?" onClose={onClose} testId="feedback-form">
      <DialogText>Your correction helps OmniForge understand the next message like it.</DialogText>
      <form onSubmit={send}>
        <Field label="It should have">
          <select
            className={styles.select}
            value={choice}
            onChange={(event) => setChoice(event.target.value)}
            data-testid="correction"
          >
            <option value="">understood it as it did, but answered better</option>
            {CORRECTION_OPTIONS.map(([action, name]) => (
              <option key={action} value={action}>
                understood: {name.toLowerCase()}
              </option>
            ))}
            <option value={OTHER}>done something else</option>
          </select>
        </Field>
        {choice === OTHER && (
          <Field label="Namely">
            <Input
              value={other}
              maxLength={MAX_CHARACTERS}
              required
              onChange={(event) => setOther(event.target.value)}
            />
          </Field>
        )}
        <Field label="Anything else? (optional)">
          <TextArea
            rows={3}
            value={comment}
            maxLength={MAX_CHARACTERS}
            onChange={(event) => setComment(event.target.value)}
          />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" data-testid="feedback-send">
            Send
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
