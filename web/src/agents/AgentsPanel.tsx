/** Agents panel: the user's agents and those shared with them. */

import { Bot, Plus } from "lucide-react";
import { useThreadRegistry } from "@/chat/thread/ThreadContext";
import { ListEmpty } from "@/lists/ListPlaceholders";
import { ListStates } from "@/lists/ListStates";
import { RecentlyDeleted } from "@/lists/RecentlyDeleted";
import { usePanelPlace } from "@/shell/routes";
import { Button } from "@/ui/Controls";
import { NewAgentForm } from "./AgentForm";
import { AgentItem } from "./AgentItem";
import { AgentPage } from "./AgentPage";
import styles from "./agents.module.css";
import { useAgents, useDeletedAgents, useRestoreAgent, useRuns } from "./queries";
import { useShowChat } from "./useShowChat";

export function AgentsPanel() {
  const [place, go] = usePanelPlace();
  if (place === "new")
    return (
      <div className={styles.panel}>
        <h3>New agent</h3>
        <NewAgentForm onDone={({ id }) => go(id)} onCancel={() => go(null)} />
      </div>
    );
  const [id, part] = place?.split("/") ?? [];
  if (id) return <AgentPage key={id} id={id} isEditing={part === "edit"} />;
  return <AgentList />;
}

function AgentList() {
  const [, go] = usePanelPlace();
  const agents = useAgents();
  const runs = useRuns();
  return (
    <div className={styles.panel}>
      <div>
        <Button small onClick={() => go("new")} data-testid="agent-new">
          <Plus size={15} aria-hidden /> New agent
        </Button>
      </div>
      <ListStates list={agents} what="agents" height={132} empty={<NoAgents />}>
        {(cards) => (
          <ul className={styles.list}>
            {cards.map((card) => (
              <AgentItem key={card.id} card={card} runs={runs} />
            ))}
          </ul>
        )}
      </ListStates>
      <DeletedAgents />
    </div>
  );
}

function DeletedAgents() {
  const restore = useRestoreAgent();
  return (
    <RecentlyDeleted
      what="agents"
      useDeleted={useDeletedAgents}
      nameOf={(card) => card.name}
      onRestore={(card) => restore.mutate(card)}
    />
  );
}

const FIRST_MESSAGE = "Create an agent that ";

function NoAgents() {
  const threads = useThreadRegistry();
  const showChat = useShowChat();
  return (
    <ListEmpty icon={<Bot size={28} aria-hidden />} title="No agents yet">
      <p>Tell the chat what keeps coming back: it builds an agent that does it for you.</p>
      <Button
        small
        onClick={() => {
          showChat();
          threads.compose(FIRST_MESSAGE);
        }}
      >
        Describe one in chat
      </Button>
    </ListEmpty>
  );
}
