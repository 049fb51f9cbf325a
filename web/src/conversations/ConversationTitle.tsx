/** What the top bar says of the open conversation, and what can be done with it. */

import { useEffect, useRef, useState } from "react";
import { conversationName } from "@/conversations/list/listRows";
import { useConversation } from "@/conversations/queries/useConversation";
import { useConversationActions } from "@/conversations/queries/useConversationActions";
import { useDeleteConversation } from "@/conversations/queries/useDeleteConversation";
import { Badge } from "@/ui/Controls";
import { ConversationMenu } from "./ConversationMenu";
import styles from "./conversations.module.css";
import { RenameField } from "./RenameField";

export function ConversationTitle({ conversationId }: { conversationId: string | null }) {
  const conversation = useConversation(conversationId);
  const { rename } = useConversationActions();
  const remove = useDeleteConversation();
  const [renamed, setRenamed] = useState<string | null>(null);
  const title = conversation ? conversationName(conversation) : conversationId ? "Conversation" : "New chat";
  const bar = useRef<HTMLDivElement>(null);
  const returning = useRef(false);
  useEffect(() => {
    if (renamed === null && returning.current) bar.current?.querySelector("button")?.focus();
    returning.current = false;
  }, [renamed]);
  const isRenamed = conversation !== null && renamed === conversation.id;
  useEffect(() => {
    document.title = conversation ? `${title} · OmniForge` : "OmniForge";
  }, [conversation, title]);
  return (
    <div ref={bar} className={styles.titleBar}>
      <h1 className={isRenamed ? "visually-hidden" : styles.title} title={title}>
        {title}
      </h1>
      {isRenamed && (
        <RenameField
          name={title}
          onRename={(name) => void rename(conversation, name)}
          onClose={(byKey) => {
            setRenamed(null);
            returning.current = byKey;
          }}
        />
      )}
      {conversation?.status === "archived" && <Badge>Archived</Badge>}
      {conversation && !isRenamed && (
        <ConversationMenu
          conversation={conversation}
          onRename={() => setRenamed(conversation.id)}
          onDelete={() => void remove(conversation)}
        />
      )}
    </div>
  );
}
