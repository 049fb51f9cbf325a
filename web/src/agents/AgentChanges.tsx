/** The changes of an agent, newest first, each with a button that takes the agent back to before it. */

import { useState } from "react";
import { type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { PagedList } from "@/lists/PagedList";
import { usePagedQuery } from "@/lists/pagedQuery";
import { useRequest } from "@/lists/useRequest";
import { useApi } from "@/session/SessionContext";
import { announce } from "@/ui/Announcer";
import { Button } from "@/ui/Controls";
import styles from "./agents.module.css";
import { formatDateTime } from "./labels";
import type { Agent } from "./queries";

type Change = Schemas["AgentChangeView"];

export function AgentChanges({ agent }: { agent: Agent }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} data-testid="agent-changes">
      <summary>Changes</summary>
      {isOpen && <Changes agent={agent} />}
    </details>
  );
}

function Changes({ agent }: { agent: Agent }) {
  const api = useApi();
  const changes = usePagedQuery<Change & { id: string }>(
    [...queryKeys.agent(agent.id), "changes", agent.version],
    async (cursor) => {
      const page = await unwrap(
        api.GET("/v1/agents/{agent_id}/changes", {
          params: { path: { agent_id: agent.id }, query: cursor ? { cursor } : {} },
        }),
      );
      return { ...page, items: page.items.map((each) => ({ ...each, id: String(each.version) })) };
    },
  );
  const undo = useRequest({
    send: (version: number) =>
      unwrap(
        api.POST("/v1/agents/{agent_id}/undo", {
          params: { path: { agent_id: agent.id } },
          body: { version },
        }),
      ),
    queryKeys: [queryKeys.agents],
    errorText: "The change could not be undone",
    onSuccess: () => announce("The agent is as it was before."),
  });
  return (
    <PagedList list={changes} what="changes" empty="It has not been changed in the last 30 days.">
      {(change) => (
        <div className={styles.change}>
          <div>
            <b>{formatDateTime(change.at)}</b>
            <ul>
              {Object.entries(change.former).map(([name, value]) => (
                <li key={name}>
                  {name.replaceAll("_", " ")} was{" "}
                  <span dir="auto">{value === null ? "not set" : textOf(value)}</span>
                </li>
              ))}
            </ul>
          </div>
          <Button
            small
            disabled={undo.isPending}
            onClick={() => undo.mutate(change.version)}
            data-testid="change-undo"
          >
            Back to before this
          </Button>
        </div>
      )}
    </PagedList>
  );
}

const MAX_CHARACTERS = 200;

function textOf(value: unknown): string {
  const text = typeof value === "string" ? value || "empty" : JSON.stringify(value);
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
