/** The page of one agent: what it does, what it lacks, its runs with results, what they cost, and its changes. */

import { ArrowLeft, Pencil } from "lucide-react";
import { ApiError } from "@/api/apiError";
import { formatCost } from "@/chat/labels";
import { ListError, ListLoading } from "@/lists/ListPlaceholders";
import { ListStates } from "@/lists/ListStates";
import { useIdentity } from "@/session/SessionContext";
import { usePanelPlace } from "@/shell/routes";
import { Badge, Button } from "@/ui/Controls";
import { AgentActions, AgentMenu } from "./AgentActions";
import { AgentChanges } from "./AgentChanges";
import { EditAgentForm } from "./AgentForm";
import { AgentFacts } from "./AgentItem";
import { RunItem } from "./AgentRuns";
import styles from "./agents.module.css";
import { Brief } from "./Brief";
import { MissingParts } from "./MissingParts";
import { type Agent, type AgentCard, type Run, useAgent, useRunsOf } from "./queries";
import { WaitingRecipients } from "./WaitingRecipients";

export function AgentPage({ id, isEditing }: { id: string; isEditing: boolean }) {
  const [, go] = usePanelPlace();
  const agent = useAgent(id, true);
  return (
    <div className={styles.panel} data-testid="agent-page">
      <div>
        <Button small variant="quiet" onClick={() => go(null)} data-testid="agent-back">
          <ArrowLeft size={15} aria-hidden /> All agents
        </Button>
      </div>
      {agent.data ? (
        <AgentDetails agent={agent.data} isEditing={isEditing} />
      ) : agent.isPending ? (
        <ListLoading what="agent" height={80} />
      ) : ApiError.from(agent.error).status === 404 ? (
        <p>This agent does not exist, or is not shared with you any more.</p>
      ) : (
        <ListError what="agent" error={agent.error} onRetry={() => void agent.refetch()} />
      )}
    </div>
  );
}

function AgentDetails({ agent, isEditing }: { agent: Agent; isEditing: boolean }) {
  const [, go] = usePanelPlace();
  const { user } = useIdentity();
  const isOwn = agent.owner === user;
  const card: AgentCard = {
    ...agent,
    channels: agent.delivery?.channels ?? [],
    summary: agent.summary ?? agent.what,
  };
  const close = () => go(agent.id);
  if (isEditing && isOwn)
    return (
      <>
        <h3>Edit {agent.name}</h3>
        <EditAgentForm agent={agent} onDone={close} onCancel={close} />
      </>
    );
  return (
    <>
      <div className={styles.head}>
        <h3>
          <bdi>{agent.name}</bdi>
        </h3>
        <Badge tone={agent.status === "paused" ? "warn" : "good"} data-testid="agent-status">
          {agent.status === "paused" ? "Paused" : "Active"}
        </Badge>
        {agent.shared && <Badge>{isOwn ? "Shared" : `Shared by ${agent.owner}`}</Badge>}
        <AgentMenu card={card} isOwn={isOwn} onDeleted={() => go(null)} />
      </div>
      <p className={styles.summary} dir="auto">
        {agent.summary ?? agent.what}
      </p>
      <Brief card={card} agent={agent} isOwn={isOwn} />
      <MissingParts agent={agent} isOwn={isOwn} />
      {isOwn && <WaitingRecipients agent={agent} />}
      <div className={styles.actions}>
        <AgentActions card={card} agent={agent} isOwn={isOwn} onStarted={() => undefined} />
        {isOwn && (
          <Button small onClick={() => go(`${agent.id}/edit`)} data-testid="agent-edit">
            <Pencil size={15} aria-hidden /> Edit
          </Button>
        )}
      </div>
      <AgentFacts agent={agent} />
      <Details agent={agent} />
      <Runs agent={agent} />
      {isOwn && <AgentChanges agent={agent} />}
    </>
  );
}

function Details({ agent }: { agent: Agent }) {
  const facts: [string, string | null | undefined][] = [
    ["Works on", agent.what],
    ["Sources", agent.sources?.join(", ")],
    ["Scope", agent.scope],
    ["Condition", agent.condition],
    ["Form of results", agent.format],
    ["Skills", agent.skills?.join(", ")],
    ["Instructions", agent.instructions],
  ];
  return (
    <dl className={styles.details}>
      {facts.map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <dt>{label}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Runs({ agent }: { agent: Agent }) {
  const runs = useRunsOf(agent.id);
  const empty = (
    <p className={styles.hint} data-testid="agent-cost">
      It has not worked yet.
    </p>
  );
  return (
    <section aria-labelledby="agent-runs-heading" className={styles.panel}>
      <h4 id="agent-runs-heading">Runs</h4>
      <ListStates list={runs} what="runs" height={40} more="Show earlier runs" empty={empty}>
        {(items) => (
          <>
            <p className={styles.hint} data-testid="agent-cost">
              {costLabel(items, runs.hasNextPage)}
            </p>
            <ul className={styles.runList}>
              {items.map((run, index) => (
                <RunItem key={run.id} listed={run} isNewest={index === 0} />
              ))}
            </ul>
          </>
        )}
      </ListStates>
    </section>
  );
}

function costLabel(runs: readonly Run[], hasMore: boolean): string {
  const cost = runs.reduce((sum, run) => sum + (run.usage?.cost_usd ?? 0), 0);
  return `${hasMore ? "The last " : ""}${runs.length} ${runs.length === 1 ? "run" : "runs"} cost ${formatCost(cost)}.`;
}
