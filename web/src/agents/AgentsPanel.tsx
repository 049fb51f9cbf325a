/** Agents panel: the user's agents and those shared with them. */

import { Bot } from "lucide-react";
import { useThreadRegistry } from "@/chat/thread/ThreadContext";
import { ListEmpty, ListError, ListLoading } from "@/lists/ListPlaceholders";
import { LoadMore } from "@/lists/LoadMore";
import { RecentlyDeleted } from "@/lists/RecentlyDeleted";
import { Button } from "@/ui/Controls";
import { AgentItem } from "./AgentItem";
import styles from "./agents.module.css";
import { useAgents, useDeletedAgents, useRestoreAgent, useRuns } from "./queries";
import { useShowChat } from "./useShowChat";

export function AgentsPanel() {
  const agents = useAgents();
  const runs = useRuns();
  if (agents.isPending) return <ListLoading what="agents" height={132} />;
  if (!agents.items)
    return <ListError what="agents" error={agents.error} onRetry={() => void agents.refetch()} />;
  return (
    <div className={styles.panel}>
      {agents.items.length === 0 ? (
        <NoAgents />
      ) : (
        <ul className={styles.list}>
          {agents.items.map((card) => (
            <AgentItem key={card.id} card={card} runs={runs} />
          ))}
        </ul>
      )}
      <LoadMore list={agents} />
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
