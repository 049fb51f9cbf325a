/** What can be done with an agent. Whoever only shares it can have it work and ask about it. */

import { CalendarClock, MessageSquareText, MoreHorizontal, Pause, Play, Trash2, Users } from "lucide-react";
import { useRef, useState } from "react";
import { useThreadRegistry } from "@/chat/thread/ThreadContext";
import { Button, IconButton, Spinner } from "@/ui/Controls";
import { ConfirmDialog } from "@/ui/Dialog";
import { Menu, MenuItem, MenuSeparator } from "@/ui/Menu";
import styles from "./agents.module.css";
import { type Agent, type AgentCard, useDeleteAgent, useStartRun, useUpdateAgent } from "./queries";
import { ScheduleDialog } from "./ScheduleDialog";
import { useShowChat } from "./useShowChat";

interface ActionsProps {
  card: AgentCard;
  /** Undefined: not read yet. */
  agent: Agent | undefined;
  isOwn: boolean;
  onStarted: () => void;
}

export function AgentActions({ card, agent, isOwn, onStarted }: ActionsProps) {
  const [scheduling, schedule] = useState(false);
  return (
    <div className={styles.actions}>
      <RunButton card={card} onStarted={onStarted} />
      {isOwn && (agent?.schedule || card.status === "paused") && <PauseButton card={card} />}
      {isOwn && (
        <Button small disabled={!agent} onClick={() => schedule(true)} data-testid="agent-schedule">
          <CalendarClock size={15} aria-hidden /> Schedule
        </Button>
      )}
      {scheduling && agent && <ScheduleDialog card={card} agent={agent} onClose={() => schedule(false)} />}
    </div>
  );
}

function RunButton({ card, onStarted }: { card: AgentCard; onStarted: () => void }) {
  const start = useStartRun(card);
  return (
    <Button
      small
      className={styles.start}
      disabled={start.isPending}
      onClick={() => start.mutate(crypto.randomUUID(), { onSuccess: onStarted })}
      data-testid="agent-run"
    >
      {start.isPending ? <Spinner /> : <Play size={14} aria-hidden />} Run now
    </Button>
  );
}

function PauseButton({ card }: { card: AgentCard }) {
  const change = useUpdateAgent(card);
  const isPaused = card.status === "paused";
  return (
    <Button
      small
      onClick={() => change.mutate({ status: isPaused ? "active" : "paused" })}
      data-testid="agent-pause"
    >
      {isPaused ? <Play size={15} aria-hidden /> : <Pause size={15} aria-hidden />}
      {isPaused ? "Resume" : "Pause"}
    </Button>
  );
}

/** What is done with an agent less often. */
export function AgentMenu({ card, isOwn }: { card: AgentCard; isOwn: boolean }) {
  const threads = useThreadRegistry();
  const showChat = useShowChat();
  const change = useUpdateAgent(card);
  const remove = useDeleteAgent(card);
  const [deleting, confirmDelete] = useState(false);
  const asked = useRef(false);
  const askInChat = () => {
    showChat();
    threads.compose(`What does ${card.name} do, and how did its last run go?`);
  };
  const trigger = (
    <IconButton small label={`More for ${card.name}`} className={styles.menu} data-testid="agent-menu">
      <MoreHorizontal size={17} aria-hidden />
    </IconButton>
  );
  return (
    <>
      <Menu
        trigger={trigger}
        onCloseAutoFocus={(event) => {
          if (!asked.current) return;
          // The composer takes the focus, not the menu's button.
          event.preventDefault();
          asked.current = false;
          askInChat();
        }}
      >
        <MenuItem
          onSelect={() => {
            asked.current = true;
          }}
          data-testid="agent-ask"
        >
          <MessageSquareText size={16} aria-hidden /> Ask about it in chat
        </MenuItem>
        {isOwn && (
          <>
            <MenuItem onSelect={() => change.mutate({ shared: !card.shared })} data-testid="agent-share">
              <Users size={16} aria-hidden /> {card.shared ? "Stop sharing" : "Share with the workspace"}
            </MenuItem>
            <MenuSeparator />
            <MenuItem danger onSelect={() => confirmDelete(true)} data-testid="agent-delete">
              <Trash2 size={16} aria-hidden /> Delete
            </MenuItem>
          </>
        )}
      </Menu>
      {deleting && (
        <ConfirmDialog
          title={`Delete ${card.name}?`}
          text="It stops working for everybody who uses it. Its past results stay in your conversations. This can't be undone."
          action="Delete agent"
          onConfirm={() => remove.mutate(null)}
          onClose={() => confirmDelete(false)}
        />
      )}
    </>
  );
}
