/** Menu with the actions on a conversation. */

import {
  Archive,
  ArchiveRestore,
  Ellipsis,
  FileJson,
  FileText,
  Info,
  Pencil,
  Pin,
  PinOff,
  Trash2,
} from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { conversationName } from "@/conversations/conversationName";
import type { ConversationView } from "@/conversations/queries/conversationPages";
import { useConversationActions } from "@/conversations/queries/useConversationActions";
import { IconButton } from "@/ui/Controls";
import { Menu, MenuItem, MenuSeparator } from "@/ui/Menu";

const ConversationDetails = lazy(() =>
  import("./ConversationDetails").then((it) => ({ default: it.ConversationDetails })),
);

interface ConversationMenuProps {
  conversation: ConversationView;
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
  const actions = useConversationActions();
  const movesFocus = useRef(false);
  const [isDetailed, setDetailed] = useState(false);
  const { pinned } = conversation;
  const isArchived = conversation.status === "archived";
  // These actions move focus to the rename field or another conversation, so it must not return to this button.
  const withFocusMove = (action: () => void) => () => {
    movesFocus.current = true;
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
    <>
      <Menu
        trigger={trigger}
        align="start"
        onCloseAutoFocus={(event) => {
          if (movesFocus.current) event.preventDefault();
          movesFocus.current = false;
        }}
      >
        <MenuItem onSelect={withFocusMove(onRename)} data-testid="rename">
          <Pencil size={16} aria-hidden /> Rename
        </MenuItem>
        <MenuItem onSelect={() => void actions.pin(conversation, !pinned)} data-testid="pin">
          {pinned ? <PinOff size={16} aria-hidden /> : <Pin size={16} aria-hidden />}{" "}
          {pinned ? "Unpin" : "Pin"}
        </MenuItem>
        <MenuItem onSelect={() => void actions.archive(conversation, !isArchived)} data-testid="archive">
          {isArchived ? <ArchiveRestore size={16} aria-hidden /> : <Archive size={16} aria-hidden />}
          {isArchived ? "Move back to the list" : "Archive"}
        </MenuItem>
        <MenuItem
          onSelect={() => void actions.saveAsFile(conversation, "markdown")}
          data-testid="export-markdown"
        >
          <FileText size={16} aria-hidden /> Save as Markdown
        </MenuItem>
        <MenuItem onSelect={() => void actions.saveAsFile(conversation, "json")} data-testid="export-json">
          <FileJson size={16} aria-hidden /> Save as JSON
        </MenuItem>
        <MenuItem onSelect={() => setDetailed(true)} data-testid="details">
          <Info size={16} aria-hidden /> Details
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger onSelect={withFocusMove(onDelete)} data-testid="delete">
          <Trash2 size={16} aria-hidden /> Delete
        </MenuItem>
      </Menu>
      {isDetailed && (
        <Suspense>
          <ConversationDetails conversation={conversation} onClose={() => setDetailed(false)} />
        </Suspense>
      )}
    </>
  );
}
