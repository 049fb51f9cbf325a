/** Row of the conversation list. */

import { Pin } from "lucide-react";
import { memo } from "react";
import { Link } from "wouter";
import { ConversationMenu } from "@/conversations/ConversationMenu";
import { conversationName } from "@/conversations/conversationName";
import styles from "@/conversations/conversations.module.css";
import type { ConversationView } from "@/conversations/queries/conversationPages";
import { RenameField } from "@/conversations/RenameField";
import { useUnseen } from "@/news/useNews";

interface ConversationRowProps {
  conversation: ConversationView;
  href: string;
  isOpen: boolean;
  /** Whether it is the row that the Tab key reaches. */
  isCurrent: boolean;
  isRenaming: boolean;
  onRename: (conversation: ConversationView) => void;
  onRenamed: (conversation: ConversationView, name: string) => void;
  onRenameClosed: (conversation: ConversationView, byKey: boolean) => void;
  onDelete: (conversation: ConversationView) => void;
}

export const ConversationRow = memo(function ConversationRow(props: ConversationRowProps) {
  const { conversation, isCurrent } = props;
  const name = conversationName(conversation);
  const isUnseen = useUnseen().has(conversation.id);
  if (props.isRenaming) {
    return (
      <RenameField
        name={name}
        onRename={(newName) => props.onRenamed(conversation, newName)}
        onClose={(byKey) => props.onRenameClosed(conversation, byKey)}
      />
    );
  }
  const tabIndex = isCurrent ? 0 : -1;
  return (
    <>
      <Link
        href={props.href}
        className={styles.link}
        aria-current={props.isOpen ? "page" : undefined}
        aria-keyshortcuts="F2 Delete"
        title={name}
        tabIndex={tabIndex}
      >
        {conversation.pinned && <Pin size={13} className={styles.pin} aria-hidden />}
        <span className={styles.name} dir="auto">
          {name}
        </span>
        {isUnseen && (
          <span className={styles.unseen} data-testid="unseen">
            <span className="visually-hidden">, news</span>
          </span>
        )}
      </Link>
      <ConversationMenu
        conversation={conversation}
        className={styles.options}
        tabIndex={tabIndex}
        onRename={() => props.onRename(conversation)}
        onDelete={() => props.onDelete(conversation)}
      />
    </>
  );
});
