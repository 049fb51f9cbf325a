/** Thumbs up and down for an answer. Thumbs down asks for a correction. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ThumbsDown, ThumbsUp } from "lucide-react";
import { useState } from "react";
import { ApiError } from "@/api/apiError";
import { type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { errorMessage } from "@/chat/labels";
import { useThread } from "@/chat/thread/ThreadContext";
import { useApi } from "@/session/SessionContext";
import { IconButton } from "@/ui/Controls";
import { showToast } from "@/ui/Toasts";
import { CorrectionForm } from "./CorrectionForm";

type FeedbackView = Schemas["FeedbackView"];

const ROUTE = "/v1/conversations/{conversation_id}/messages/{message_id}/feedback";

export function FeedbackButtons({ messageId }: { messageId: string }) {
  const { feedback, load, send } = useFeedback(messageId);
  const [isCorrecting, setCorrecting] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: earlier feedback is fetched once the pointer or the focus is near
    <span onPointerEnter={load} onFocus={load}>
      <IconButton
        small
        label="Good answer"
        aria-pressed={feedback?.rating === "up"}
        data-testid="thumb-up"
        onClick={() => send.mutate({ rating: "up" }, { onSuccess: () => showToast({ text: "Thank you!" }) })}
      >
        <ThumbsUp size={15} aria-hidden />
      </IconButton>
      <IconButton
        small
        label="Bad answer"
        aria-pressed={feedback?.rating === "down"}
        data-testid="thumb-down"
        onClick={() => setCorrecting(true)}
      >
        <ThumbsDown size={15} aria-hidden />
      </IconButton>
      {isCorrecting && (
        <CorrectionForm
          feedback={feedback?.rating === "down" ? feedback : null}
          onClose={() => setCorrecting(false)}
          onSend={(correction, comment) =>
            send.mutate(
              { rating: "down", correction, comment },
              { onSuccess: () => showToast({ text: "Thank you. OmniForge learns from this." }) },
            )
          }
        />
      )}
    </span>
  );
}

function useFeedback(messageId: string) {
  const api = useApi();
  const queries = useQueryClient();
  const [isNear, setNear] = useState(false);
  const path = { conversation_id: useThread().conversationId ?? "", message_id: messageId };
  const queryKey = queryKeys.feedback(path.conversation_id, messageId);
  const query = useQuery<FeedbackView>({
    queryKey,
    enabled: isNear,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => unwrap(api.GET(ROUTE, { params: { path } })),
  });
  const send = useMutation({
    mutationFn: (body: Schemas["FeedbackBody"]) => unwrap(api.PUT(ROUTE, { params: { path }, body })),
    onSuccess: (feedback) => queries.setQueryData(queryKey, feedback),
    onError: (error) => showToast({ text: errorMessage(ApiError.from(error)) }),
  });
  return { feedback: query.data ?? null, load: () => setNear(true), send };
}
