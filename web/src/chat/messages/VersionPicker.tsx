/** Switches between the versions of an answer. The conversation continues from the version shown. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { ApiError } from "@/api/apiError";
import { unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { errorMessage } from "@/chat/labels";
import { useThread, useThreadRegistry } from "@/chat/thread/ThreadContext";
import { useApi } from "@/session/SessionContext";
import { announce } from "@/ui/Announcer";
import { IconButton } from "@/ui/Controls";
import { showToast } from "@/ui/Toasts";
import styles from "./messages.module.css";

export function VersionPicker({ messageId }: { messageId: string }) {
  const api = useApi();
  const threads = useThreadRegistry();
  const conversationId = useThread().conversationId ?? "";
  const versions = useQuery({
    queryKey: queryKeys.versions(conversationId, messageId),
    staleTime: 60_000,
    queryFn: () =>
      unwrap(
        api.GET("/v1/conversations/{conversation_id}/messages/{message_id}/versions", {
          params: { path: { conversation_id: conversationId, message_id: messageId } },
        }),
      ),
  });
  const select = useMutation({
    mutationFn: (id: string) => threads.selectVersion(conversationId, id),
    onError: (error) => showToast({ text: errorMessage(ApiError.from(error)) }),
  });
  const items = versions.data?.items ?? [];
  const shown = items.findIndex((version) => version.active);
  if (items.length < 2 || shown < 0) return null;
  const step = (offset: number) => {
    const next = items[shown + offset];
    if (!next) return;
    announce(`Version ${shown + offset + 1} of ${items.length}.`);
    select.mutate(next.message.id);
  };
  return (
    <fieldset className={styles.versions} data-testid="versions">
      <legend className="visually-hidden">Versions</legend>
      <IconButton
        small
        label="Earlier version"
        disabled={shown === 0 || select.isPending}
        onClick={() => step(-1)}
      >
        <ChevronLeft size={15} aria-hidden />
      </IconButton>
      <span>
        <span className="visually-hidden">Version </span>
        {shown + 1}/{items.length}
      </span>
      <IconButton
        small
        label="Later version"
        disabled={shown === items.length - 1 || select.isPending}
        onClick={() => step(1)}
      >
        <ChevronRight size={15} aria-hidden />
      </IconButton>
    </fieldset>
  );
}
