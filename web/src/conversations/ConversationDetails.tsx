/** Details of a conversation: when it began and expires, and what its last answer was given against. */

import { useQuery } from "@tanstack/react-query";
import { formatDateTime } from "@/agents/labels";
import { type Schemas, unwrap } from "@/api/client";
import { useThreadRegistry } from "@/chat/thread/ThreadContext";
import { conversationName } from "@/conversations/conversationName";
import { useRequest } from "@/lists/useRequest";
import { useApi } from "@/session/SessionContext";
import { announce } from "@/ui/Announcer";
import { Button } from "@/ui/Controls";
import { Dialog, DialogActions } from "@/ui/Dialog";
import styles from "./conversations.module.css";
import type { ConversationView } from "./queries/conversationPages";

type Context = Schemas["ContextView"];
type Message = Schemas["MessageView"];

const keyOf = (id: string) => ["conversations", "newest", id];

/** The messages of the newest page, and what the last answer was given against. */
function useNewest(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: keyOf(id),
    queryFn: async () => {
      const params = { path: { conversation_id: id }, query: { limit: 20 } };
      const { items } = await unwrap(api.GET("/v1/conversations/{conversation_id}/messages", { params }));
      const turnId = items.findLast((message) => message.role === "assistant")?.turn_id;
      const context = turnId
        ? await unwrap(api.GET("/v1/turns/{turn_id}/context", { params: { path: { turn_id: turnId } } }))
        : null;
      return { items, context };
    },
  });
}

export function ConversationDetails(props: { conversation: ConversationView; onClose: () => void }) {
  const { conversation, onClose } = props;
  const newest = useNewest(conversation.id);
  return (
    <Dialog title={conversationName(conversation)} onClose={onClose} testId="conversation-details">
      <dl className={styles.facts}>
        <dt>Begun</dt>
        <dd>{formatDateTime(conversation.created_at)}</dd>
        <dt>Messages</dt>
        <dd>{conversation.message_count}</dd>
        <dt>Kept until</dt>
        <dd data-testid="expires">
          {conversation.expires_at
            ? `${formatDateTime(conversation.expires_at)}, unless something is said in it`
            : "further notice"}
        </dd>
      </dl>
      {newest.data?.context && <LastContext context={newest.data.context} />}
      {newest.data && newest.data.items.length > 0 && (
        <details>
          <summary>Newest messages</summary>
          <ul className={styles.messages}>
            {newest.data.items.toReversed().map((message) => (
              <MessageRow key={message.id} conversationId={conversation.id} message={message} />
            ))}
          </ul>
        </details>
      )}
      <DialogActions>
        <Button data-first onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const WHY: Record<string, string> = {
  summarised: "summarised",
  budget: "too long",
  new_topic: "of an earlier topic",
  inactive: "replaced",
};

function LastContext({ context }: { context: Context }) {
  return (
    <section aria-labelledby="last-context">
      <h3 id="last-context">What the last answer was given against</h3>
      <dl className={styles.facts}>
        <dt>Messages sent along</dt>
        <dd>
          {context.messages.length} ({context.tokens} tokens)
        </dd>
        {context.left_out.length > 0 && (
          <>
            <dt>Left out</dt>
            <dd>
              {context.left_out.map(({ from, to, why }) => `${from} to ${to}: ${WHY[why] ?? why}`).join("; ")}
            </dd>
          </>
        )}
        {context.summary && (
          <>
            <dt>Summary</dt>
            <dd dir="auto">{context.summary.text}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

const MAX_CHARACTERS = 120;

/** A message that can go along with every answer from now on, or be taken back. */
function MessageRow({ conversationId, message }: { conversationId: string; message: Message }) {
  const api = useApi();
  const threads = useThreadRegistry();
  const params = { params: { path: { conversation_id: conversationId, message_id: message.id } } };
  const pin = useRequest({
    send: (isPinned: boolean): Promise<unknown> =>
      isPinned
        ? unwrap(api.POST("/v1/conversations/{conversation_id}/messages/{message_id}/pin", params))
        : unwrap(api.DELETE("/v1/conversations/{conversation_id}/messages/{message_id}/pin", params)),
    queryKeys: [],
    errorText: "The message could not be kept in mind",
    onSuccess: (_, isPinned) =>
      announce(isPinned ? "It goes along with every answer." : "It goes along no more."),
  });
  const takeBack = useRequest({
    send: (_: null) =>
      unwrap(api.DELETE("/v1/conversations/{conversation_id}/messages/{message_id}", params)),
    queryKeys: [keyOf(conversationId)],
    errorText: "The message could not be taken back",
    onSuccess: () => void threads.get(conversationId).refresh(),
  });
  const isPinned = pin.isSuccess && pin.variables === true;
  const text = message.content.slice(0, MAX_CHARACTERS);
  if (message.deleted) return <li data-testid="details-message">Taken back.</li>;
  return (
    <li data-testid="details-message">
      <span dir="auto">{text}</span>
      <div className={styles.deletedActions}>
        <Button small disabled={pin.isPending} onClick={() => pin.mutate(true)} data-testid="message-pin">
          {isPinned ? "Kept in mind" : "Keep in mind"}
        </Button>
        <Button small disabled={pin.isPending} onClick={() => pin.mutate(false)} data-testid="message-unpin">
          Not any more
        </Button>
        <Button
          small
          variant="danger"
          disabled={takeBack.isPending}
          onClick={() => takeBack.mutate(null)}
          data-testid="message-take-back"
        >
          Take back
        </Button>
      </div>
    </li>
  );
}
