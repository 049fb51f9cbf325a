/** The form of an agent: all that the API takes but its schedule, which has a dialog of its own. */

import { useQueryClient } from "@tanstack/react-query";
import { partialBody, type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { type FieldGroup, SchemaForm } from "@/forms/SchemaForm";
import type { Submission } from "@/forms/useForm";
import { useApi } from "@/session/SessionContext";
import { serviceName } from "./labels";
import type { Agent } from "./queries";

const CHANNELS = ["conversation", "email", "slack", "teams", "webhook", "sms"];

const GROUPS: readonly FieldGroup[] = [
  {
    title: "What it does",
    fields: [
      { name: "what", label: "What it works on", hint: "In a few words, such as: overdue tickets." },
      { name: "brief", label: "What you want, in your own words" },
      {
        name: "kind",
        label: "Kind",
        options: { monitor: "Watches for something", report: "Reports", task: "Does a task" },
      },
      { name: "name", label: "Name", hint: "Lowercase words with hyphens. Left empty, it gets one." },
      { name: "summary", label: "Summary for lists" },
    ],
  },
  {
    title: "Where it looks",
    fields: [
      { name: "sources", label: "Sources, one a line", hint: "Such as notion or google sheets." },
      { name: "scope", label: "Which part of them" },
      { name: "condition", label: "What makes something worth telling" },
      { name: "skills", label: "Skills it may use, one a line" },
      { name: "combines_skills", label: "It may pass what one skill returns on to another" },
    ],
  },
  {
    title: "How it reports",
    fields: [
      {
        name: "delivery.channels",
        label: "Results go to",
        options: Object.fromEntries(CHANNELS.map((each) => [each, serviceName(each)])),
      },
      {
        name: "delivery.recipients",
        label: "Addresses, one a line",
        hint: "Mail addresses, Slack channels or addresses of webhooks. They are not shown to others.",
      },
      { name: "format", label: "Form of the results" },
      { name: "instructions", label: "Further instructions", control: "long" },
      { name: "shared", label: "Everybody in the workspace may run it" },
    ],
  },
];

const CHECK: FieldGroup = {
  title: "Check of a web address, which needs no model",
  isFolded: true,
  fields: [
    { name: "check.url", label: "Address" },
    {
      name: "check.expect",
      label: "Tell when",
      options: {
        reachable: "it can't be reached",
        status: "it answers with another status",
        contains: "it does not contain a text",
        lacks: "it contains a text",
        unchanged: "it changed",
        certificate: "its certificate expires soon",
      },
    },
    { name: "check.status", label: "Status" },
    { name: "check.text", label: "Text" },
    { name: "check.days", label: "Days before the certificate expires" },
  ],
};

const ALL_GROUPS = [...GROUPS, CHECK];

export function NewAgentForm({ onDone, onCancel }: { onDone: (agent: Agent) => void; onCancel: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  return (
    <SchemaForm
      id="agent-new"
      schema="AgentSpec"
      groups={ALL_GROUPS}
      initial={{ kind: "task", delivery: { channels: ["conversation"] } }}
      submitLabel="Create"
      submit={({ all, key }: Submission) =>
        unwrap(
          api.POST("/v1/agents", {
            params: { header: { "idempotency-key": key } },
            body: partialBody<Schemas["AgentSpec"]>(bodyOf(all) as Partial<Schemas["AgentSpec"]>),
          }),
        )
      }
      onDone={(agent: Agent) => {
        queries.setQueryData(queryKeys.agent(agent.id), agent);
        void queries.invalidateQueries({ queryKey: queryKeys.agentList });
        onDone(agent);
      }}
      onCancel={onCancel}
    />
  );
}

export function EditAgentForm(props: { agent: Agent; onDone: () => void; onCancel: () => void }) {
  const { agent, onDone, onCancel } = props;
  const api = useApi();
  const queries = useQueryClient();
  return (
    <SchemaForm
      id={`agent-${agent.id}`}
      schema="AgentChange"
      groups={ALL_GROUPS}
      initial={agent}
      submitLabel="Save"
      submit={({ changed, all }: Submission) => {
        // The API replaces where results go, and the check, as a whole.
        const whole = bodyOf(all);
        const body = Object.fromEntries(Object.keys(changed).map((name) => [name, whole[name] ?? null]));
        return unwrap(
          api.PATCH("/v1/agents/{agent_id}", {
            params: { path: { agent_id: agent.id } },
            body: partialBody<Schemas["AgentChange"]>(body as Partial<Schemas["AgentChange"]>),
          }),
        );
      }}
      onDone={(saved: Agent) => {
        queries.setQueryData(queryKeys.agent(saved.id), saved);
        void queries.invalidateQueries({ queryKey: queryKeys.agents });
        onDone();
      }}
      onCancel={onCancel}
    />
  );
}

/** The values as the API takes them: a check without an address is none. */
function bodyOf(all: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { check, ...rest } = all;
  const { url, expect, ...terms } = (check ?? {}) as Record<string, unknown>;
  return url ? { ...rest, check: { url, ...(expect ? { expect } : {}), ...terms } } : rest;
}
