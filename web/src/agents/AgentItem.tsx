/** One agent of the list: summary, schedule, delivery, missing connections, actions and runs. */

import { CalendarClock, Eye, Plug, Send } from "lucide-react";
import { type RefObject, useEffect, useId, useRef, useState } from "react";
import { useIdentity } from "@/session/SessionContext";
import { usePanel, usePanelPlace } from "@/shell/routes";
import { Badge, Button, Skeleton } from "@/ui/Controls";
import { AgentActions, AgentMenu } from "./AgentActions";
import { AgentRuns, type RunsQuery } from "./AgentRuns";
import styles from "./agents.module.css";
import { Brief } from "./Brief";
import { checkLabel, deliveryLabel, missingConnectionsLabel, missingModelLabel } from "./labels";
import { type Agent, type AgentCard, useAgent } from "./queries";
import { scheduleLabel } from "./scheduleForm";
import { WaitingRecipients } from "./WaitingRecipients";

export function AgentItem({ card, runs }: { card: AgentCard; runs: RunsQuery }) {
  const element = useRef<HTMLLIElement>(null);
  const nameId = useId();
  const { user } = useIdentity();
  const [, go] = usePanelPlace();
  const { data: agent } = useAgent(card.id, useHasBeenVisible(element));
  const isOwn = card.owner === user;
  const [isExpanded, setExpanded] = useState(false);
  return (
    <li ref={element} className={styles.agent} aria-labelledby={nameId} data-testid="agent-item">
      <div className={styles.head}>
        <h3 id={nameId}>
          <button type="button" className={styles.open} onClick={() => go(card.id)} data-testid="agent-open">
            <bdi>{card.name}</bdi>
          </button>
        </h3>
        {card.status === "paused" && <Badge tone="warn">Paused</Badge>}
        {card.shared && <Badge>{isOwn ? "Shared" : `Shared by ${card.owner}`}</Badge>}
        <AgentMenu card={card} isOwn={isOwn} />
      </div>
      <p className={styles.summary}>{card.summary}</p>
      {agent && <Brief card={card} agent={agent} isOwn={isOwn} />}
      {agent ? <AgentFacts agent={agent} /> : <Skeleton width="70%" />}
      <MissingConnections card={card} agent={agent} />
      {isOwn && agent && <WaitingRecipients agent={agent} />}
      <AgentActions card={card} agent={agent} isOwn={isOwn} onStarted={() => setExpanded(true)} />
      <AgentRuns card={card} runs={runs} isExpanded={isExpanded} setExpanded={setExpanded} />
    </li>
  );
}

export function AgentFacts({ agent }: { agent: Agent }) {
  const { check, schedule, status } = agent;
  return (
    <div className={styles.facts}>
      {check && (
        <p data-testid="agent-check">
          <Eye size={15} aria-hidden />
          <span>Tells: {checkLabel(check)}</span>
        </p>
      )}
      <p className={status === "paused" && schedule ? styles.off : undefined}>
        <CalendarClock size={15} aria-hidden />
        <span>
          <span className="visually-hidden">Works: </span>
          {schedule ? withNoBreakTimes(scheduleLabel(schedule)) : "Only when asked"}
          {schedule && <span className={styles.zone}> {timeZoneLabel(schedule.time_zone)}</span>}
        </span>
      </p>
      <p>
        <Send size={15} aria-hidden />
        <span>Results: {deliveryLabel(agent.delivery)}</span>
      </p>
    </div>
  );
}

function MissingConnections({ card, agent }: { card: AgentCard; agent: Agent | undefined }) {
  const showPanel = usePanel()[1];
  const source = agent?.missing.find((each) => each.kind === "connection")?.name;
  const labels = [
    missingConnectionsLabel(card.needs_connection ?? [], agent?.sources ?? null),
    missingModelLabel(agent?.missing ?? []),
  ];
  const label = labels.filter(Boolean).join(" ");
  if (!label) return null;
  return (
    <p className={styles.missing} data-testid="agent-missing">
      <Plug size={15} aria-hidden /> {label}
      {source && (
        <Button small onClick={() => showPanel("connections", source)} data-testid="agent-connect">
          Connect<span className="visually-hidden"> {source}</span>
        </Button>
      )}
    </p>
  );
}

const timeZoneLabel = (zone = "UTC"): string => zone.replaceAll("_", " ");

/** Keeps times such as `9:00 AM` on one line. */
const withNoBreakTimes = (text: string): string => text.replace(/ (?=[AP]M)/g, "\u00a0");

/** Whether the element has been on screen. */
function useHasBeenVisible(ref: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (isSeen || !ref.current) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true);
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [isSeen, ref]);
  return isSeen;
}
