/** The form that connects an MCP server or a webhook, and changes one. The value of its key is no part of it. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "@/api/apiError";
import { type Api, partialBody, type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import type { FieldSpec } from "@/forms/FormField";
import { SchemaForm } from "@/forms/SchemaForm";
import type { Submission } from "@/forms/useForm";
import { useApi, useIdentity } from "@/session/SessionContext";
import { Field } from "@/ui/Controls";
import { showToast } from "@/ui/Toasts";
import styles from "./connections.module.css";
import { SecretInput } from "./SecretField";
import { ownSecretName, storeSecret } from "./secretQueries";
import type { Skill } from "./skillQueries";

const SHARED: FieldSpec = { name: "shared", label: "Everybody in the workspace may use it" };

const FIELDS: readonly FieldSpec[] = [
  { name: "url", label: "Address", hint: "An https address." },
  { name: "description", label: "What it is for" },
  {
    name: "serves",
    label: "Services it reaches, one a line",
    hint: "Such as notion. Agents that need one find it.",
  },
  {
    name: "sign_in",
    label: "Sign-in",
    options: { "": "none", user: "each user signs in", workspace: "one sign-in for the workspace" },
  },
  {
    name: "secret",
    label: "Or the name of a saved secret",
    hint: "Such as one that several connections share.",
  },
  { name: "allowed_tools", label: "Tools it may offer, one a line", options: { "": "all" } },
];

const NEW_FIELDS: readonly FieldSpec[] = [
  { name: "kind", label: "Kind", options: { mcp: "MCP server", webhook: "Webhook" } },
  { name: "name", label: "Name", hint: "Lowercase words with hyphens." },
  ...FIELDS,
];

const EDIT_FIELDS: readonly FieldSpec[] = [
  ...FIELDS,
  { name: "status", label: "Use", options: { active: "in use", disabled: "switched off" } },
];

/** What the API lets administrators alone say: a webhook, which signs its requests, and the name of a secret. */
const OF_ADMINS = new Set(["kind", "secret"]);

function useGroups(fields: readonly FieldSpec[]) {
  const { roles } = useIdentity();
  const offered = roles.includes("admin")
    ? [...fields, SHARED]
    : fields.filter(({ name }) => !OF_ADMINS.has(name));
  return [{ title: "Connection", fields: offered }];
}

export function NewSkillForm(props: {
  serves: string;
  onDone: (skill: Skill) => void;
  onCancel: () => void;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const { roles } = useIdentity();
  // Not a field of the form: its draft is kept in the browser.
  const [key, setKey] = useState("");
  return (
    <SchemaForm
      id="skill-new"
      schema="SkillSpec"
      groups={useGroups(NEW_FIELDS)}
      initial={{ kind: "mcp", serves: props.serves ? [props.serves] : [] }}
      submitLabel="Connect"
      submit={async (submission: Submission) => {
        const all = submission.all as Partial<Schemas["SkillSpec"]>;
        const secret = key.trim() ? { secret: ownSecretName(all.name ?? "") } : {};
        const skill = await unwrap(
          api.POST("/v1/skills", {
            params: { header: { "idempotency-key": submission.key } },
            body: partialBody<Schemas["SkillSpec"]>({ ...all, ...secret }),
          }),
        );
        if (key.trim()) await saveKey(api, skill, key);
        return skill;
      }}
      onDone={(skill: Skill) => {
        void queries.invalidateQueries({ queryKey: queryKeys.skills });
        void queries.invalidateQueries({ queryKey: queryKeys.secrets });
        void queries.invalidateQueries({ queryKey: queryKeys.connections });
        void queries.invalidateQueries({ queryKey: queryKeys.agents });
        props.onDone(skill);
      }}
      onCancel={props.onCancel}
    >
      {roles.includes("admin") && (
        <div>
          <Field label="Key or token, if it wants one">
            <SecretInput
              onChange={(event) => setKey(event.target.value)}
              aria-describedby="skill-key-hint"
              data-testid="skill-key"
            />
          </Field>
          <p id="skill-key-hint" className={styles.hint}>
            An MCP server gets it as a bearer token; requests to a webhook are signed with it. Nobody can read
            it back.
          </p>
        </div>
      )}
    </SchemaForm>
  );
}

/** Saves the key of a new connection and has it checked. If that fails, its page asks for the key. */
async function saveKey(api: Api, skill: Skill, key: string): Promise<void> {
  try {
    await storeSecret(api, ownSecretName(skill.name), key);
    await unwrap(api.POST("/v1/skills/{skill_id}/check", { params: { path: { skill_id: skill.id } } }));
  } catch (error) {
    showToast({ text: `It is connected, but its key is not saved: ${ApiError.from(error).message}` });
  }
}

export function EditSkillForm(props: { skill: Skill; onDone: () => void; onCancel: () => void }) {
  const { skill } = props;
  const api = useApi();
  const queries = useQueryClient();
  return (
    <SchemaForm
      id={`skill-${skill.id}`}
      schema="SkillChange"
      groups={useGroups(EDIT_FIELDS)}
      initial={skill}
      submitLabel="Save"
      submit={({ changed }: Submission) =>
        unwrap(
          api.PATCH("/v1/skills/{skill_id}", {
            params: { path: { skill_id: skill.id } },
            body: partialBody<Schemas["SkillChange"]>(changed as Partial<Schemas["SkillChange"]>),
          }),
        )
      }
      onDone={(saved: Skill) => {
        queries.setQueryData(queryKeys.skill(saved.id), saved);
        void queries.invalidateQueries({ queryKey: queryKeys.skills });
        props.onDone();
      }}
      onCancel={props.onCancel}
    />
  );
}
