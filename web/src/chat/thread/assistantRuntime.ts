/** Adapter between threads and assistant-ui: thread items become its messages, its actions become turns. */

import {
  type AppendMessage,
  type ThreadMessageLike,
  useAuiState,
  useExternalStoreRuntime,
} from "@assistant-ui/react";
import { isTurnOver } from "@/stream/turn";
import type { Thread, ThreadState } from "./thread";
import type { ThreadItem } from "./threadItems";

export function useThreadRuntime(thread: Thread, state: ThreadState) {
  const { items } = state;
  return useExternalStoreRuntime<ThreadItem>({
    messages: items,
    convertMessage: toThreadMessage,
    isRunning: state.active !== null,
    onNew: async (message) => thread.send(textOf(message)),
    onEdit: async (message) => {
      const item = items.find((each) => each.id === message.sourceId);
      if (item?.messageId) thread.edit(item.messageId, textOf(message));
    },
    onReload: async (parentId) => {
      const index = items.findIndex((each) => each.id === parentId);
      const answer = items[index + 1];
      if (answer?.role === "assistant" && answer.messageId) thread.regenerate(answer.messageId);
    },
    onCancel: async () => thread.stop(),
  });
}

/** The thread item of the message that is being rendered. */
export function useThreadItem(): ThreadItem {
  return useAuiState((state) => (state.message.metadata.custom as { item: ThreadItem }).item);
}

function toThreadMessage(item: ThreadItem): ThreadMessageLike {
  const message = {
    id: item.id,
    content: [{ type: "text" as const, text: item.text }],
    createdAt: new Date(item.createdAt),
    metadata: { custom: { item } },
  };
  return item.role === "user"
    ? { ...message, role: "user" }
    : { ...message, role: "assistant", status: statusOf(item) };
}

function statusOf({ turn }: ThreadItem): NonNullable<ThreadMessageLike["status"]> {
  if (turn && !isTurnOver(turn)) return { type: "running" };
  if (turn && turn.phase !== "answered") return { type: "incomplete", reason: "error" };
  return { type: "complete", reason: "stop" };
}

function textOf(message: AppendMessage): string {
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
