/** The part of the conversation that an answer was made from: summary, messages, and what was left out and why. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "@/api/apiError";
import { type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { assistantName } from "@/brand/brand";
import { errorMessage } from "@/chat/labels";
import { useApi } from "@/session/SessionContext";
import { Skeleton } from "@/ui/Controls";
import styles from "./DecisionBadge.module.css";

type Context = Schemas["ContextView"];

export function ContextReceipt({ turnId }: { turnId: string }) {
  const api = useApi();
  const [isOpen, setOpen] = useState(false);
  const context = useQuery({
    queryKey: queryKeys.context(turnId),
    enabled: isOpen,
    staleTime: 60_000,
    retry: false,
    queryFn: () => unwrap(api.GET("/v1/turns/{turn_id}/context", { params: { path: { turn_id: turnId } } })),
  });
  return (
    <details
      className={styles.receipt}
      data-testid="context-receipt"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>What I was told</summary>
      {context.isPending && <Skeleton height={40} />}
      {context.error && <p role="alert">{problemOf(ApiError.from(context.error))}</p>}
      {context.data && <Told context={context.data} />}
    </details>
  );
}

function Told({ context }: { context: Context }) {
  const { summary, messages, shortened, left_out: leftOut } = context;
  return (
    <>
      {messages.length === 0 && !summary && <p>Nothing of this conversation, only the message itself.</p>}
      {(messages.length > 0 || summary) && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by keyboard, too
        <ol tabIndex={0} aria-label="What I was told">
          {summary && (
            <li dir="auto">
              <span>
                Summary of messages {summary.from} to {summary.to}
              </span>
              {summary.text}
            </li>
          )}
          {messages.map((message) => (
            <li key={message.id} dir="auto">
              <span>
                {message.role === "user" ? "You said" : `${assistantName()} said`}
                {message.shortened && ", shortened"}
              </span>
              {message.content}
            </li>
          ))}
        </ol>
      )}
      {leftOut.map((range) => (
        <p key={`${range.from} ${range.why}`}>
          Left out: {rangeLabel(range)}, {WHY[range.why]}.
        </p>
      ))}
      <p>
        {context.tokens.toLocaleString("en")} tokens
        {shortened > 0 && `, ${shortened} ${shortened === 1 ? "message" : "messages"} shortened`}.
      </p>
    </>
  );
}

const WHY: Record<Schemas["LeftOutView"]["why"], string> = {
  summarised: "which the summary tells of",
  budget: "for lack of room",
  new_topic: "which were about something else",
  inactive: "which were edited, answered anew or deleted",
};

const rangeLabel = ({ from, to }: Schemas["LeftOutView"]): string =>
  from === to ? `message ${from}` : `messages ${from} to ${to}`;

const problemOf = (error: ApiError): string =>
  error.status === 404 ? "No record was kept of what this answer was made from." : errorMessage(error);
