/** Title and menu of the open conversation, in the top bar. */

import { useEffect, useRef, useState } from "react";
import { useBrand } from "@/brand/brand";
import { conversationName } from "@/conversations/conversationName";
import { useConversation } from "@/conversations/queries/useConversation";
import { useConversationActions } from "@/conversations/queries/useConversationActions";
import { useDeleteConversation } from "@/conversations/queries/useDeleteConversation";
import { useUnseen } from "@/news/useNews";
import { Badge } from "@/ui/Controls";
import { ConversationMenu } from "./ConversationMenu";
import styles from "./conversations.module.css";
import { RenameField } from "./RenameField";

export function ConversationTitle({ conversationId }: { conversationId: string | null }) {
  const conversation = useConversation(conversationId);
  const news = useUnseen().size;
  const brand = useBrand();
  const { rename } = useConversationActions();
  const remove = useDeleteConversation();
  const [renamingId, setRenamingId] = useState<string | null>(null);
  const title = conversation ? conversationName(conversation) : conversationId ? "Conversation" : "New chat";
  const bar = useRef<HTMLDivElement>(null);
  const shouldReturnFocus = useRef(false);
  useEffect(() => {
    if (renamingId === null && shouldReturnFocus.current) bar.current?.querySelector("button")?.focus();
    shouldReturnFocus.current = false;
  }, [renamingId]);
  const isRenaming = conversation !== null && renamingId === conversation.id;
  useEffect(() => {
    const name = conversation ? `${title} · ${brand.name}` : brand.name;
    document.title = news > 0 ? `(${news}) ${name}` : name;
  }, [conversation, title, news, brand]);
  return (
    <div ref={bar} className={styles.titleBar}>
      <h1 className={isRenaming ? "visually-hidden" : styles.title} title={title}>
        {title}
      </h1>
      {isRenaming && (
        <RenameField
          name={title}
          onRename={(name) => void rename(conversation, name)}
          onClose={(byKey) => {
            setRenamingId(null);
            shouldReturnFocus.current = byKey;
          }}
        />
      )}
      {conversation?.status === "archived" && <Badge>Archived</Badge>}
      {conversation && !isRenaming && (
        <ConversationMenu
          conversation={conversation}
          onRename={() => setRenamingId(conversation.id)}
          onDelete={() => void remove(conversation)}
        />
      )}
    </div>
  );
}
