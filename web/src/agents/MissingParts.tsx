/** What an agent lacks, each with the button that mends it. */

import { Plug } from "lucide-react";
import type { Schemas } from "@/api/client";
import { useIdentity } from "@/session/SessionContext";
import { type PanelName, useGoToPanel } from "@/shell/routes";
import { Button } from "@/ui/Controls";
import styles from "./agents.module.css";
import { serviceName } from "./labels";
import type { Agent } from "./queries";

type Missing = Schemas["Missing"];

interface Remedy {
  text: string;
  label: string;
  panel: PanelName;
  place: string;
}

/** How to mend what is missing; null: only somebody else can. */
function remedyOf({ kind, name = "" }: Missing, agent: Agent, isAdmin: boolean): Remedy | { text: string } {
  const edit = { label: "Edit", panel: "agents", place: `${agent.id}/edit` } as const;
  switch (kind) {
    case "connection":
      return {
        text: `${serviceName(name)} is not connected.`,
        label: `Connect ${serviceName(name)}`,
        panel: "connections",
        place: "",
      };
    case "skill":
      return {
        text: `Nothing here can read ${serviceName(name)}.`,
        label: `Connect ${serviceName(name)}`,
        panel: "connections",
        place: "new",
      };
    case "model":
      return isAdmin
        ? {
            text: "No model is set up, or allowed, that can do its work.",
            label: "Allowed models",
            panel: "settings",
            place: "policy",
          }
        : { text: "No model is set up that can do its work. An administrator can help." };
    case "budget":
      return {
        text: "Today's budget for models is spent.",
        label: isAdmin ? "Budget" : "Usage",
        panel: "settings",
        place: isAdmin ? "policy" : "usage",
      };
    case "address":
      return { text: `It has no address for ${serviceName(name)}.`, ...edit, label: "Add an address" };
    case "channel":
      return { text: `Results can't be sent by ${serviceName(name)} here.`, ...edit, label: "Change it" };
  }
}

export function MissingParts({ agent, isOwn }: { agent: Agent; isOwn: boolean }) {
  const goToPanel = useGoToPanel();
  const { roles } = useIdentity();
  return agent.missing.map((missing) => {
    const remedy = remedyOf(missing, agent, roles.includes("admin"));
    const canMend = "label" in remedy && (isOwn || remedy.panel !== "agents");
    return (
      <p
        key={`${missing.kind} ${missing.name}`}
        className={styles.missing}
        data-testid={`agent-lacks-${missing.kind}`}
      >
        <Plug size={15} aria-hidden /> {remedy.text}
        {canMend && (
          <Button
            small
            onClick={() =>
              goToPanel(remedy.panel, {
                at: remedy.place,
                connect: remedy.panel === "connections" ? (missing.name ?? "") : "",
              })
            }
            data-testid="agent-mend"
          >
            {remedy.label}
          </Button>
        )}
      </p>
    );
  });
}
