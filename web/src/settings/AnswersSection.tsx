/** The workspace's own answers to questions about the product: listed, added, changed and removed. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { SchemaForm } from "@/forms/SchemaForm";
import { PagedList } from "@/lists/PagedList";
import { useApi, useUserStorage } from "@/session/SessionContext";
import { usePanelPlace } from "@/shell/routes";
import { Button, Field, Input } from "@/ui/Controls";
import { ConfirmDialog } from "@/ui/Dialog";
import { type OwnAnswer, useOwnAnswers, useRemoveAnswer } from "./queries";
import styles from "./settings.module.css";

const GROUPS = [
  {
    title: "Answer",
    fields: [
      { name: "title", label: "Title" },
      { name: "questions", label: "Questions it answers, one a line", hint: "As your users would ask them." },
      { name: "text", label: "Answer" },
    ],
  },
];

export function AnswersSection() {
  const [place, go] = usePanelPlace();
  const answers = useOwnAnswers();
  const editedId = place?.split("/")[1];
  const back = () => go("answers");
  if (editedId === "new") return <AnswerForm answer={null} onDone={back} />;
  const edited = answers.items?.find((each) => each.id === editedId);
  if (edited) return <AnswerForm key={edited.id} answer={edited} onDone={back} />;
  return (
    <>
      <p className={styles.hint}>
        The assistant and the help answer with these texts, such as where your users find support.
      </p>
      <div className={styles.actions}>
        <Button variant="primary" onClick={() => go("answers/new")} data-testid="answer-add">
          Add an answer
        </Button>
      </div>
      <PagedList list={answers} what="answers" empty="Your workspace has no answers of its own yet.">
        {(answer) => <AnswerRow answer={answer} onEdit={() => go(`answers/${answer.id}`)} />}
      </PagedList>
    </>
  );
}

function AnswerRow({ answer, onEdit }: { answer: OwnAnswer; onEdit: () => void }) {
  const remove = useRemoveAnswer();
  const [isAsking, setAsking] = useState(false);
  return (
    <div className={styles.row}>
      <div>
        <b dir="auto">{answer.title}</b>
        <small dir="auto">{answer.text}</small>
      </div>
      <div className={styles.actions}>
        <Button small onClick={onEdit} data-testid="answer-edit">
          Edit<span className="visually-hidden"> {answer.title}</span>
        </Button>
        <Button small variant="danger" onClick={() => setAsking(true)} data-testid="answer-remove">
          Remove<span className="visually-hidden"> {answer.title}</span>
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={`Remove “${answer.title}”?`}
          text="The assistant no longer answers with it."
          action="Remove"
          onConfirm={() => remove.mutate(answer.id)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

const DRAFT_ID = "answer-id";
const ID = "[a-z0-9]+(-[a-z0-9]+)*";

function AnswerForm({ answer, onDone }: { answer: OwnAnswer | null; onDone: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const storage = useUserStorage();
  const [id, setId] = useState(answer?.id ?? storage.get<string>(DRAFT_ID) ?? "");
  const name = (chosen: string) => {
    setId(chosen);
    storage.set(DRAFT_ID, chosen);
  };
  const leave = () => {
    storage.remove(DRAFT_ID);
    onDone();
  };
  return (
    <SchemaForm
      id={`answer-${answer?.id ?? "new"}`}
      schema="AnswerSpec"
      groups={GROUPS}
      initial={answer ?? {}}
      submitLabel="Save"
      submit={({ all }) =>
        unwrap(
          api.PUT("/v1/tenant/answers/{answer_id}", {
            params: { path: { answer_id: id } },
            body: all as unknown as Schemas["AnswerSpec"],
          }),
        )
      }
      onDone={() => {
        void queries.invalidateQueries({ queryKey: queryKeys.setting("answers") });
        leave();
      }}
      onCancel={leave}
    >
      {!answer && (
        <Field label="Short name, such as support-hours">
          <Input
            value={id}
            onChange={(event) => name(event.target.value)}
            required
            pattern={ID}
            maxLength={64}
            title="Lowercase letters, digits and hyphens"
            data-testid="answer-id"
          />
        </Field>
      )}
    </SchemaForm>
  );
}
