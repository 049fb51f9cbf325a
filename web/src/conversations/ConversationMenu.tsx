/** What can be done with a conversation. */

import {
  Archive,
  ArchiveRestore,
  Ellipsis,
  FileJson,
  FileText,
  Pencil,
  Pin,
  PinOff,
  Trash2,
} from "lucide-react";
import { useRef } from "react";
import { conversationName } from "@/conversations/list/listRows";
import type { ConversationView } from "@/conversations/queries/conversationPages";
import { useConversationActions } from "@/conversations/queries/useConversationActions";
import { IconButton } from "@/ui/Controls";
import { Menu, MenuItem, MenuSeparator } from "@/ui/Menu";

interface ConversationMenuProps {
  conversation: ConversationView;
  /** Where the name is shown it becomes a field. */
  onRename: () => void;
  onDelete: () => void;
  className?: string | undefined;
  tabIndex?: number;
}

export function ConversationMenu({
  conversation,
  onRename,
  onDelete,
  className,
  tabIndex,
}: ConversationMenuProps) {
  const changes = useConversationActions();
  const isLeaving = useRef(false);
  const { pinned } = conversation;
  const isArchived = conversation.status === "archived";
  // Focus goes on to the field, or to another conversation, not back to this button.
  const leaving = (action: () => void) => () => {
    isLeaving.current = true;
    action();
  };
  const trigger = (
    <IconButton
      small
      label={`Options for ${conversationName(conversation)}`}
      title="Options"
      className={className}
      tabIndex={tabIndex}
      data-testid="conversation-menu"
    >
      <Ellipsis size={16} aria-hidden />
    </IconButton>
  );
  return (
    <Menu
      trigger={trigger}
      align="start"
      onCloseAutoFocus={(event) => {
        if (isLeaving.current) event.preventDefault();
        isLeaving.current = false;
      }}
    >
      <MenuItem onSelect={leaving(onRename)} data-testid="rename">
        <Pencil size={16} aria-hidden /> Rename
      </MenuItem>
      <MenuItem onSelect={() => void changes.pin(conversation, !pinned)} data-testid="pin">
        {pinned ? <PinOff size={16} aria-hidden /> : <Pin size={16} aria-hidden />} {pinned ? "Unpin" : "Pin"}
      </MenuItem>
      <MenuItem onSelect={() => void changes.archive(conversation, !isArchived)} data-testid="archive">
        {isArchived ? <ArchiveRestore size={16} aria-hidden /> : <Archive size={16} aria-hidden />}
        {isArchived ? "Move back to the list" : "Archive"}
      </MenuItem>
      <MenuItem
        onSelect={() => void changes.saveAsFile(conversation, "markdown")}
        data-testid="export-markdown"
      >
        <FileText size={16} aria-hidden /> Save as Markdown
      </MenuItem>
      <MenuItem onSelect={() => void changes.saveAsFile(conversation, "json")} data-testid="export-json">
        <FileJson size={16} aria-hidden /> Save as JSON
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger onSelect={leaving(onDelete)} data-testid="delete">
        <Trash2 size={16} aria-hidden /> Delete
      </MenuItem>
    </Menu>
  );
}
