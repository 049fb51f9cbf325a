/** Actions on a conversation: rename, pin, archive, export, delete. Changes show at once and are undone if they fail. */

import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { ApiError } from "@/api/apiError";
import { partialBody, type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { useThreadRegistry } from "@/chat/thread/ThreadContext";
import { conversationName } from "@/conversations/conversationName";
import { useApi } from "@/session/SessionContext";
import { announce } from "@/ui/Announcer";
import { showToast } from "@/ui/Toasts";
import { applyLocalChange, type ConversationView, type LoadedConversations } from "./conversationPages";
import { downloadFile, type ExportFormat, fetchExport } from "./exportConversation";
import { type ConversationStatus, conversationListKey } from "./useConversations";

interface ConversationActions {
  rename(conversation: ConversationView, title: string): Promise<void>;
  pin(conversation: ConversationView, pinned: boolean): Promise<void>;
  archive(conversation: ConversationView, archived: boolean): Promise<void>;
  saveAsFile(conversation: ConversationView, format: ExportFormat): Promise<void>;
  /** Brings a deleted conversation back. */
  restore(conversation: ConversationView): Promise<boolean>;
  /** Deletes the conversation, with an undo. Returns whether it was deleted. */
  remove(conversation: ConversationView, onRestored?: () => void): Promise<boolean>;
}

export function useConversationActions(): ConversationActions {
  const api = useApi();
  const queries = useQueryClient();
  const threads = useThreadRegistry();
  return useMemo(() => {
    /** Updates the loaded lists; null removes the conversation from them. */
    const show = (id: string, view: ConversationView | null) => {
      for (const status of ["active", "archived"] satisfies ConversationStatus[]) {
        queries.setQueryData<LoadedConversations>(
          conversationListKey(status),
          (list) => list && applyLocalChange(list, id, view?.status === status ? view : null, Date.now()),
        );
      }
      if (view) queries.setQueryData(queryKeys.conversation(id), view);
      else queries.removeQueries({ queryKey: queryKeys.conversation(id) });
    };

    /** Shows `after` at once, then the result of the request, or `before` if it fails. */
    const attempt = async (
      conversation: ConversationView,
      { before, after }: Record<"before" | "after", ConversationView | null>,
      request: () => Promise<ConversationView | null>,
    ): Promise<boolean> => {
      show(conversation.id, after);
      try {
        show(conversation.id, await request());
        return true;
      } catch (cause) {
        const error = ApiError.from(cause);
        show(conversation.id, error.status === 404 ? null : before);
        showToast({ text: errorText(error, conversation) });
        return false;
      }
    };

    const path = (id: string) => ({ path: { conversation_id: id } });
    const change = (id: string, body: Partial<Schemas["ConversationChange"]>) =>
      unwrap(
        api.PATCH("/v1/conversations/{conversation_id}", {
          params: path(id),
          body: partialBody<Schemas["ConversationChange"]>(body),
        }),
      );

    const restore = async (conversation: ConversationView): Promise<boolean> =>
      attempt(conversation, { before: null, after: conversation }, async () => {
        const { id, status } = conversation;
        const restored = await unwrap(
          api.POST("/v1/conversations/{conversation_id}/restore", { params: path(id) }),
        );
        return status === "archived" ? change(id, { archived: true }) : restored;
      });

    const archive: ConversationActions["archive"] = async (conversation, archived) => {
      const status = archived ? "archived" : "active";
      const { id } = conversation;
      const moved: ConversationView = { ...conversation, status };
      const states = { before: conversation, after: moved };
      if (!(await attempt(conversation, states, () => change(id, { archived })))) return;
      const undo = () => void archive(moved, !archived);
      showToast({
        text: archived
          ? `“${shortName(conversation)}” is archived.`
          : `“${shortName(conversation)}” is back in the list.`,
        action: { label: "Undo", run: undo },
      });
    };

    return {
      archive,
      async restore(conversation) {
        const isDone = await restore({ ...conversation, status: "active" });
        void queries.invalidateQueries({ queryKey: queryKeys.deletedConversations });
        if (isDone) announce("The conversation is back.");
        return isDone;
      },
      async rename(conversation, title) {
        const states = { before: conversation, after: { ...conversation, title } };
        const isDone = await attempt(conversation, states, () => change(conversation.id, { title }));
        if (isDone) announce(`Renamed to ${title}.`);
      },
      async pin(conversation, pinned) {
        const states = { before: conversation, after: { ...conversation, pinned } };
        const isDone = await attempt(conversation, states, () => change(conversation.id, { pinned }));
        void queries.invalidateQueries({ queryKey: queryKeys.pinned });
        if (isDone) announce(pinned ? "Pinned." : "No longer pinned.");
      },
      async saveAsFile(conversation, format) {
        try {
          downloadFile(
            await fetchExport(api, conversation.id, format),
            conversationName(conversation),
            format,
          );
          announce("The conversation is saved as a file.");
        } catch (cause) {
          showToast({ text: errorText(ApiError.from(cause), conversation) });
        }
      },
      async remove(conversation, onRestored) {
        const isDone = await attempt(conversation, { before: conversation, after: null }, async () => {
          await unwrap(api.DELETE("/v1/conversations/{conversation_id}", { params: path(conversation.id) }));
          return null;
        });
        void queries.invalidateQueries({ queryKey: queryKeys.deletedConversations });
        if (!isDone) return false;
        threads.remove(conversation.id);
        const undo = async () => {
          if (!(await restore(conversation))) return;
          announce("The conversation is back.");
          onRestored?.();
        };
        showToast({
          text: `“${shortName(conversation)}” was deleted.`,
          action: { label: "Undo", run: () => void undo() },
        });
        return true;
      },
    };
  }, [api, queries, threads]);
}

function errorText(error: ApiError, conversation: ConversationView): string {
  if (error.status === 404) return `“${shortName(conversation)}” does not exist any more.`;
  if (error.status === 0) return "No connection: nothing was changed.";
  return `That did not work: ${error.message}`;
}

const MAX_CHARACTERS = 40;

/** The conversation's name, short enough for a toast. */
function shortName(conversation: ConversationView): string {
  const name = [...conversationName(conversation)];
  return name.length > MAX_CHARACTERS ? `${name.slice(0, MAX_CHARACTERS).join("")}…` : name.join("");
}
