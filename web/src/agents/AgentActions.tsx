/** Buttons and menu of an agent. Only its owner can change it; others can run it and ask about it. */

import { CalendarClock, MessageSquareText, MoreHorizontal, Pause, Play, Trash2, Users } from "lucide-react";
import { useRef, useState } from "react";
import { useThreadRegistry } from "@/chat/thread/ThreadContext";
import { Button, IconButton, Spinner } from "@/ui/Controls";
import { ConfirmDialog } from "@/ui/Dialog";
import { Menu, MenuItem, MenuSeparator } from "@/ui/Menu";
import styles from "./agents.module.css";
import { changeLabel } from "./labels";
import {
  type Agent,
  type AgentCard,
  type AgentChangeNotice,
  changeOf,
  useDeleteAgent,
  useStartRun,
  useUpdateAgent,
} from "./queries";
import { ScheduleDialog } from "./ScheduleDialog";
import { useShowChat } from "./useShowChat";

interface AgentActionsProps {
  card: AgentCard;
  /** Undefined while loading. */
  agent: Agent | undefined;
  isOwn: boolean;
  onStarted: () => void;
}

export function AgentActions({ card, agent, isOwn, onStarted }: AgentActionsProps) {
  const [isScheduling, setScheduling] = useState(false);
  return (
    <div className={styles.actions}>
      <RunButton card={card} onStarted={onStarted} />
      {isOwn && (agent?.schedule || card.status === "paused") && <PauseButton card={card} />}
      {isOwn && (
        <Button small disabled={!agent} onClick={() => setScheduling(true)} data-testid="agent-schedule">
          <CalendarClock size={15} aria-hidden /> Schedule
        </Button>
      )}
      {isScheduling && agent && (
        <ScheduleDialog card={card} agent={agent} onClose={() => setScheduling(false)} />
      )}
    </div>
  );
}

function RunButton({ card, onStarted }: { card: AgentCard; onStarted: () => void }) {
  const start = useStartRun(card);
  const [change, setChange] = useState<AgentChangeNotice | null>(null);
  const run = (version: number | null) =>
    start.mutate(
      { key: crypto.randomUUID(), version },
      { onSuccess: onStarted, onError: (error) => setChange(changeOf(error)) },
    );
  return (
    <>
      <Button
        small
        className={styles.start}
        disabled={start.isPending}
        onClick={() => run(null)}
        data-testid="agent-run"
      >
        {start.isPending ? <Spinner /> : <Play size={14} aria-hidden />} Run now
      </Button>
      {change && (
        <ConfirmDialog
          title={`Run ${card.name} as it is now?`}
          text={changeLabel(card, change.changed)}
          action="Run it"
          onConfirm={() => run(change.version)}
          onClose={() => setChange(null)}
        />
      )}
    </>
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

/** The less common actions. */
export function AgentMenu(props: { card: AgentCard; isOwn: boolean; onDeleted?: () => void }) {
  const { card, isOwn, onDeleted } = props;
  const threads = useThreadRegistry();
  const showChat = useShowChat();
  const change = useUpdateAgent(card);
  const remove = useDeleteAgent(card);
  const [isConfirming, setConfirming] = useState(false);
  const shouldAsk = useRef(false);
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
          if (!shouldAsk.current) return;
          // Focus moves to the composer instead of the menu's button.
          event.preventDefault();
          shouldAsk.current = false;
          askInChat();
        }}
      >
        <MenuItem
          onSelect={() => {
            shouldAsk.current = true;
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
            <MenuItem danger onSelect={() => setConfirming(true)} data-testid="agent-delete">
              <Trash2 size={16} aria-hidden /> Delete
            </MenuItem>
          </>
        )}
      </Menu>
      {isConfirming && (
        <ConfirmDialog
          title={`Delete ${card.name}?`}
          text="It stops working for everybody who uses it. Its past results stay in your conversations. You can restore it for 30 days."
          action="Delete agent"
          onConfirm={() => {
            remove.mutate(null);
            onDeleted?.();
          }}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}
