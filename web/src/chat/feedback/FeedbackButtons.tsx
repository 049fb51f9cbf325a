/** Thumbs for an answer. Down asks what would have been right; the workspace learns from it. */

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
  const { given, ask, give } = useFeedback(messageId);
  const [correcting, setCorrecting] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what was said before is fetched once somebody comes near
    <span onPointerEnter={ask} onFocus={ask}>
      <IconButton
        small
        label="Good answer"
        aria-pressed={given?.rating === "up"}
        data-testid="thumb-up"
        onClick={() => give.mutate({ rating: "up" }, { onSuccess: () => showToast({ text: "Thank you!" }) })}
      >
        <ThumbsUp size={15} aria-hidden />
      </IconButton>
      <IconButton
        small
        label="Bad answer"
        aria-pressed={given?.rating === "down"}
        data-testid="thumb-down"
        onClick={() => setCorrecting(true)}
      >
        <ThumbsDown size={15} aria-hidden />
      </IconButton>
      {correcting && (
        <CorrectionForm
          given={given?.rating === "down" ? given : null}
          onClose={() => setCorrecting(false)}
          onSend={(correction, comment) =>
            give.mutate(
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
  const [near, setNear] = useState(false);
  const path = { conversation_id: useThread().conversationId ?? "", message_id: messageId };
  const queryKey = queryKeys.feedback(path.conversation_id, messageId);
  const query = useQuery<FeedbackView>({
    queryKey,
    enabled: near,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => unwrap(api.GET(ROUTE, { params: { path } })),
  });
  const give = useMutation({
    mutationFn: (body: Schemas["FeedbackBody"]) => unwrap(api.PUT(ROUTE, { params: { path }, body })),
    onSuccess: (given) => queries.setQueryData(queryKey, given),
    onError: (error) => showToast({ text: errorMessage(ApiError.from(error)) }),
  });
  return { given: query.data ?? null, ask: () => setNear(true), give };
}
