/** Agents panel: the user's agents and those shared with them. */

import { Bot } from "lucide-react";
import { useThreadRegistry } from "@/chat/thread/ThreadContext";
import { ListEmpty, ListError, ListLoading } from "@/lists/ListPlaceholders";
import { LoadMore } from "@/lists/LoadMore";
import { Button } from "@/ui/Controls";
import { AgentItem } from "./AgentItem";
import styles from "./agents.module.css";
import { useAgents, useRuns } from "./queries";
import { useShowChat } from "./useShowChat";

export function AgentsPanel() {
  const agents = useAgents();
  const runs = useRuns();
  if (agents.isPending) return <ListLoading what="agents" height={132} />;
  if (!agents.items)
    return <ListError what="agents" error={agents.error} onRetry={() => void agents.refetch()} />;
  if (agents.items.length === 0) return <NoAgents />;
  return (
    <div className={styles.panel}>
      <ul className={styles.list}>
        {agents.items.map((card) => (
          <AgentItem key={card.id} card={card} runs={runs} />
        ))}
      </ul>
      <LoadMore list={agents} />
    </div>
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
