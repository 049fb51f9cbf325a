/** All conversations of the workspace: how they were understood, legal holds, and erasure. Every look is written down. */

import { useState } from "react";
import { formatDateTime } from "@/agents/labels";
import type { Schemas } from "@/api/client";
import { actionLabel, isConversation, sourceLabel, surenessLabel } from "@/chat/labels";
import { PagedList } from "@/lists/PagedList";
import { usePanelPlace } from "@/shell/routes";
import { Badge, Button } from "@/ui/Controls";
import { EraseDialog } from "./EraseDialog";
import { ErasureReceipt } from "./ErasureReceipt";
import { type Overseen, useHold, useOverseen, useOverseenMessages } from "./queries";
import styles from "./settings.module.css";

export function OversightSection() {
  const [place, go] = usePanelPlace();
  const id = place?.split("/")[1];
  if (id) return <OverseenMessages id={id} onBack={() => go("conversations")} />;
  return <OverseenConversations onOpen={(opened) => go(`conversations/${opened}`)} />;
}

function OverseenConversations({ onOpen }: { onOpen: (id: string) => void }) {
  const [erasure, setErasure] = useState<string | null>(null);
  return (
    <>
      <p className={styles.hint}>
        Looking here is written to the audit log. What users said is shown only if the workspace's settings
        allow it.
      </p>
      {erasure && <ErasureReceipt id={erasure} />}
      <PagedList list={useOverseen()} what="conversations" empty="There are no conversations yet.">
        {(conversation) => <OverseenRow conversation={conversation} onOpen={onOpen} onErased={setErasure} />}
      </PagedList>
    </>
  );
}

function OverseenRow(props: {
  conversation: Overseen;
  onOpen: (id: string) => void;
  onErased: (erasure: string) => void;
}) {
  const { id, user, held, message_count: count, updated_at: at, status } = props.conversation;
  const hold = useHold();
  const [isAsking, setAsking] = useState(false);
  return (
    <div className={styles.row}>
      <div>
        <bdi>{user}</bdi> {held && <Badge tone="warn">On hold</Badge>}{" "}
        {status !== "active" && <Badge>{status}</Badge>}
        <small>
          {count} {count === 1 ? "message" : "messages"}, {formatDateTime(at)}
        </small>
      </div>
      <div className={styles.actions}>
        <Button small onClick={() => props.onOpen(id)} data-testid="oversee-open">
          Open<span className="visually-hidden"> the conversation of {user}</span>
        </Button>
        <Button
          small
          disabled={hold.isPending}
          onClick={() => hold.mutate({ id, held: !held })}
          data-testid="oversee-hold"
        >
          {held ? "Lift the hold" : "Hold"}
        </Button>
        <Button small variant="danger" onClick={() => setAsking(true)} data-testid="oversee-erase">
          Erase
        </Button>
      </div>
      {isAsking && (
        <EraseDialog
          erased={{ scope: "conversation", id }}
          name={user}
          text={`This conversation of ${user} is erased for good.`}
          onBegun={(erasure) => props.onErased(erasure.id)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

function OverseenMessages({ id, onBack }: { id: string; onBack: () => void }) {
  return (
    <>
      <div className={styles.actions}>
        <Button small onClick={onBack}>
          Back to all conversations
        </Button>
      </div>
      <PagedList list={useOverseenMessages(id)} what="messages" empty="It has no messages.">
        {(message) => <OverseenMessage message={message} />}
      </PagedList>
    </>
  );
}

function OverseenMessage({ message }: { message: Schemas["OverseenMessage"] }) {
  const { decision } = message;
  return (
    <>
      <b>{message.role === "user" ? "User" : "Assistant"}</b>{" "}
      <small className={styles.hint}>{formatDateTime(message.created_at)}</small>
      {message.content != null && <p dir="auto">{message.content}</p>}
      {decision && (
        <div className={styles.hint}>
          Understood as: {isConversation(decision) ? "Conversation" : actionLabel(decision.action_type)}.{" "}
          {surenessLabel(decision)}. Decided by: {sourceLabel(decision.source)}.
        </div>
      )}
    </>
  );
}
