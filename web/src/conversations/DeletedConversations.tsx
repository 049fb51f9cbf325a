/** The conversations that were deleted lately: each can be restored until it is removed, or erased at once. */

import { ArrowLeft, Undo2 } from "lucide-react";
import { useState } from "react";
import { conversationName } from "@/conversations/conversationName";
import { PagedList } from "@/lists/PagedList";
import { EraseDialog } from "@/settings/EraseDialog";
import { Button } from "@/ui/Controls";
import { showToast } from "@/ui/Toasts";
import styles from "./conversations.module.css";
import type { ConversationView } from "./queries/conversationPages";
import { useConversationActions } from "./queries/useConversationActions";
import { useDeletedConversations } from "./queries/useConversations";

const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" });

export function DeletedConversations({ onBack }: { onBack: () => void }) {
  const deleted = useDeletedConversations();
  return (
    <div className={styles.deleted}>
      <Button variant="quiet" small onClick={onBack} data-testid="show-active" autoFocus>
        <ArrowLeft size={16} aria-hidden /> Recently deleted
      </Button>
      <PagedList list={deleted} what="deleted conversations" empty="Nothing was deleted lately.">
        {(conversation) => <DeletedRow conversation={conversation} onErased={() => void deleted.refetch()} />}
      </PagedList>
    </div>
  );
}

function DeletedRow({ conversation, onErased }: { conversation: ConversationView; onErased: () => void }) {
  const actions = useConversationActions();
  const [isAsking, setAsking] = useState(false);
  const name = conversationName(conversation);
  const { expires_at: until } = conversation;
  return (
    <>
      <b dir="auto">{name}</b>
      {until && <p className={styles.until}>Removed for good on {day.format(new Date(until))}</p>}
      <div className={styles.deletedActions}>
        <Button small onClick={() => void actions.restore(conversation)} data-testid="restore-conversation">
          <Undo2 size={14} aria-hidden /> Restore<span className="visually-hidden"> {name}</span>
        </Button>
        <Button small variant="danger" onClick={() => setAsking(true)} data-testid="erase-conversation">
          Erase now<span className="visually-hidden"> {name}</span>
        </Button>
      </div>
      {isAsking && (
        <EraseDialog
          erased={{ scope: "conversation", id: conversation.id }}
          name={ERASE}
          text={`“${name}” is erased for good, before its time.`}
          onBegun={() => {
            onErased();
            showToast({ text: "The conversation is being erased." });
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

const ERASE = "erase";
