/** The workspace's settings, for administrators. What a shorter retention would take is told before it is saved. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { formatDateTime } from "@/agents/labels";
import { partialBody, type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { valueAt } from "@/forms/fields";
import { type FieldGroup, SchemaForm } from "@/forms/SchemaForm";
import { ChangedMeanwhile, NotSaved, type Submission } from "@/forms/useForm";
import { ListError, ListLoading } from "@/lists/ListPlaceholders";
import { useApi } from "@/session/SessionContext";
import { ConfirmDialog } from "@/ui/Dialog";
import { capFields } from "./limitFields";
import { type Policy, usePolicy } from "./queries";
import styles from "./settings.module.css";

const ANY = { "": "any" };
const DEPLOYED = { "": "as deployed" };
const NO_CAP = { "": "no cap of its own" };

const GROUPS: readonly FieldGroup[] = [
  {
    title: "Assistant",
    fields: [
      { name: "assistant_name", label: "Name of the assistant" },
      { name: "tone", label: "Tone", suggestions: ["friendly", "formal", "brief"] },
      { name: "instructions", label: "Instructions for every model", control: "long" },
      { name: "language", label: "Language", hint: "A tag such as en or de-CH." },
      { name: "time_zone", label: "Time zone", control: "zone", hint: "For users whose browser names none." },
    ],
  },
  {
    title: "How the page looks",
    fields: [
      {
        name: "brand.color",
        label: "Colour",
        control: "color",
        hint: "It is made lighter or darker where text could not be read.",
      },
      {
        name: "brand.logo",
        label: "Logo",
        control: "image",
        hint: "It is scaled down to a height of 96 pixels.",
      },
      { name: "brand.greeting", label: "Greeting of an empty chat", options: { "": "What keeps you busy?" } },
    ],
  },
  {
    title: "Keeping and deleting",
    fields: [
      { name: "history", label: "Conversations", options: { on: "are stored", off: "are not stored" } },
      { name: "retention_days", label: "Days a conversation is kept after its last message" },
      {
        name: "archived_retention_days",
        label: "Days an archived conversation is kept",
        options: { "": "as all others" },
      },
      { name: "deleted_grace_days", label: "Days a deleted conversation can be restored" },
      { name: "legal_hold", label: "Legal hold: nothing expires and nothing is removed" },
      { name: "admin_content_access", label: "Administrators may read what users said" },
      {
        name: "redaction",
        label: "Secrets and personal data in messages",
        options: { mark: "are marked", store: "are taken out before anything is stored" },
      },
    ],
  },
  {
    title: "Files",
    fields: [
      {
        name: "attachment_types",
        label: "Types of files that users may send, one a line",
        options: { "": "all that this deployment takes" },
        hint: "Such as image/png.",
      },
      { name: "attachment_bytes", label: "Most bytes of a file", options: DEPLOYED },
    ],
  },
  {
    title: "Models and money",
    fields: [
      {
        name: "budget.usd_per_day",
        label: "Most that models may cost in a day, in dollars",
        options: DEPLOYED,
        hint: "Once it is spent, models are not asked until midnight UTC.",
      },
      { name: "budget.usd_per_month", label: "In a calendar month (UTC)", options: NO_CAP },
      { name: "budget.usd_per_user_per_day", label: "In a day, for each user", options: NO_CAP },
      { name: "budget.usd_per_user_per_month", label: "In a calendar month, for each user", options: NO_CAP },
      {
        name: "allowed_models",
        label: "Allowed models, one a line",
        options: ANY,
        hint: "Empty: all that this deployment has. “Models” lists them.",
      },
    ],
  },
  {
    title: "Where results may go",
    fields: [
      { name: "allowed_mail_domains", label: "Mail domains, one a line", options: { "": "each user's own" } },
      {
        name: "other_mail_recipients",
        label: "Mail addresses elsewhere",
        options: { verified: "get results once they have confirmed", refused: "never get results" },
      },
      { name: "allowed_hook_hosts", label: "Hosts of webhooks, one a line", options: DEPLOYED },
    ],
  },
  { title: "Limits", isFolded: true, fields: capFields("PolicyChange") },
];

const NAMES = GROUPS.flatMap((group) => group.fields.map((field) => field.name));

export function PolicySection() {
  const policy = usePolicy();
  if (policy.isPending) return <ListLoading what="settings" height={120} />;
  if (!policy.data)
    return <ListError what="settings" error={policy.error} onRetry={() => void policy.refetch()} />;
  return <PolicyForm opened={policy.data} />;
}

interface Question {
  grace: Schemas["RetentionGraceView"];
  answer: (isConfirmed: boolean) => void;
}

function PolicyForm({ opened }: { opened: Policy }) {
  const api = useApi();
  const queries = useQueryClient();
  // The form compares with the policy that it shows, not with one that was fetched since.
  const [known, setKnown] = useState(opened);
  const [question, setQuestion] = useState<Question | null>(null);
  const change = (body: Record<string, unknown>, dryRun: boolean) =>
    unwrap(
      api.PATCH("/v1/tenant/policy", {
        params: { query: { dry_run: dryRun } },
        body: partialBody<Schemas["PolicyChange"]>(body),
      }),
    );
  const save = async ({ changed }: Submission) => {
    const current = await unwrap(api.GET("/v1/tenant/policy"));
    if (differs(current, known)) {
      setKnown(current);
      throw new ChangedMeanwhile(current);
    }
    const { retention_grace: grace } = await change(changed, true);
    const isShorter = grace && grace.until !== current.retention_grace?.until;
    if (isShorter && !(await new Promise<boolean>((answer) => setQuestion({ grace, answer }))))
      throw new NotSaved("Nothing was saved.");
    return change(changed, false);
  };
  return (
    <>
      {known.retention_grace && <Grace grace={known.retention_grace} />}
      <SchemaForm
        id="policy"
        schema="PolicyChange"
        groups={GROUPS}
        initial={opened}
        submitLabel="Save"
        submit={save}
        onDone={(saved: Policy) => {
          setKnown(saved);
          queries.setQueryData(queryKeys.setting("policy"), saved);
          void queries.invalidateQueries({ queryKey: queryKeys.brand });
        }}
      />
      {question && (
        <ConfirmDialog
          title="Keep conversations for a shorter time?"
          text={graceText(question.grace)}
          action="Shorten it"
          onConfirm={() => question.answer(true)}
          onClose={() => {
            question.answer(false);
            setQuestion(null);
          }}
        />
      )}
    </>
  );
}

const Grace = ({ grace }: { grace: Schemas["RetentionGraceView"] }) => (
  <p className={styles.warning} data-testid="retention-grace">
    {graceText(grace)}
  </p>
);

function graceText({
  until,
  conversations,
  and_more: andMore,
  retention_days: days,
}: Schemas["RetentionGraceView"]): string {
  const count = conversations === null ? "Older" : `${andMore ? "More than " : ""}${conversations}`;
  return `${count} conversations are removed on ${formatDateTime(until)} if nobody writes in them. Until then the longer time, ${days} days, can be set again.`;
}

/** Whether two policies differ in what the form shows. */
function differs(one: Policy, other: Policy): boolean {
  return NAMES.some((name) => JSON.stringify(valueAt(one, name)) !== JSON.stringify(valueAt(other, name)));
}
