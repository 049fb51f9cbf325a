"""A user's conversations and messages outside a turn: create, read, list, change, delete, page.

Every method takes the caller first. Another user's conversation, a deleted one and an unknown one all raise
`ConversationNotFound`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import NamedTuple

from conversation.clock import Clock, to_text
from conversation.errors import ConversationNotFound, MessageNotFound, TurnNotFound
from conversation.identity import Caller, TurnId, is_id, new_conversation_id
from conversation.keyed_creation import Created, CreationRequest, KeyedCreations
from conversation.limits.quotas import QuotaKind, Quotas
from conversation.messages.history import active_messages, find_turn, newest_messages
from conversation.messages.items import (
    ACTIVE_STATUSES,
    STOPPED_TURNS,
    ConversationHead,
    conversation_from_item,
    head_from_item,
    index_partition,
    is_owned_by,
    message_from_item,
    owner_conditions,
    parse_message_id,
    set_title,
)
from conversation.messages.models import Conversation, Message, Status
from conversation.retention.expiry import (
    days_kept,
    due_day,
    is_expired,
    is_head_expired,
    unexpired_conditions,
    with_expiry,
)
from conversation.tenants.audit import Act, AuditLog
from conversation.tenants.store import PolicyCache
from conversation.threads.example_removal import delete_examples
from conversation.turns.admission import DEFAULT_RETENTION_DAYS, creation_changes
from conversation.turns.deferred_turn import InboxQueue, QueueUnavailable
from storage import keys
from storage.errors import ConditionRefused, TransactionRefused
from storage.table import (
    Action,
    Changes,
    Conditions,
    NotExists,
    Position,
    Query,
    Remove,
    Set,
    Table,
    Update,
    query_pages,
)
from storage.tenant_table import Tables

PAGE = 500


def is_titled(title: str | None, words: Sequence[str]) -> bool:
    """Whether the title contains all words, which are in lower case; every title contains no words."""
    lowered = (title or "").casefold()
    return all(word in lowered for word in words)


class TurnProgress(StrEnum):
    """How far a turn is."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"


class TurnState(NamedTuple):
    """A turn as its user sees it.

    ``reply`` is set when it is done, ``leader``, the lease owner, while it is running.
    """

    turn_id: str
    conversation_id: str
    progress: TurnProgress
    received_at: datetime
    reply: Message | None = None
    leader: str | None = None


class ConversationRepository:
    """Reads and changes conversations of one user at a time.

    Reading a conversation whose waiting messages were abandoned asks the ``queue`` to have them answered.
    """

    def __init__(
        self,
        *,
        tables: Tables,
        clock: Clock,
        queue: InboxQueue | None = None,
        policies: PolicyCache | None = None,
        quotas: Quotas | None = None,
    ) -> None:
        self._audit = AuditLog(tables=tables, clock=clock)
        self._tables = tables
        self._clock = clock
        self._queue = queue
        self._policies = policies or PolicyCache(tables=tables, clock=clock)
        self._creations = KeyedCreations(tables=tables, clock=clock)
        self._quotas = quotas or Quotas(tables=tables, clock=clock, policies=self._policies)

    def create(
        self, caller: Caller, *, title: str | None = None, retention_days: int = DEFAULT_RETENTION_DAYS
    ) -> Conversation:
        """A new conversation without messages.

        Raises:
            QuotaExceeded: as many were begun in this way today as may be.
        """
        return self._create(caller, new_conversation_id(caller, self._clock.now()), title, retention_days)

    def create_named(
        self, caller: Caller, conversation_id: str, *, title: str | None, retention_days: int
    ) -> Created[Conversation]:
        """The conversation of an id that a client chose, new or as an earlier request made it.

        Raises:
            QuotaExceeded: as for `create`.
            ConversationNotFound: the conversation was deleted.
        """
        with suppress(ConversationNotFound):
            return Created(self.get(caller, conversation_id), replayed=True)
        try:
            return Created(self._create(caller, conversation_id, title, retention_days))
        except ConditionRefused:
            return Created(self.get(caller, conversation_id), replayed=True)

    def create_once(
        self, caller: Caller, request: CreationRequest, *, title: str | None, retention_days: int
    ) -> Created[Conversation]:
        """A new conversation as `create` makes it; a request repeated under its Idempotency-Key gets the
        first one's.

        Raises:
            QuotaExceeded: as for `create`.
            IdempotencyKeyReused, ConversationNotFound: as for `KeyedCreations.create`.
        """
        conversation_id = new_conversation_id(caller, self._clock.now())
        return self._creations.create(
            caller,
            request,
            made_id=conversation_id,
            make=partial(self._create, caller, conversation_id, title, retention_days),
            read=partial(self.get, caller),
        )

    def _create(
        self,
        caller: Caller,
        conversation_id: str,
        title: str | None,
        retention_days: int,
        record: Sequence[Action] = (),
    ) -> Conversation:
        self._quotas.take(caller, QuotaKind.CONVERSATIONS)
        now, key = self._clock.now(), keys.head(caller.tenant, conversation_id)
        named = () if title is None else (set_title(title),)
        changes = (*creation_changes(caller, conversation_id, now, retention_days), Set("inbox", []), *named)
        update = Update(key, changes, (NotExists(),))
        if record:
            self._table(caller).transact([update, *record])
        else:
            self._table(caller).update(update)
        created = {"pk": key.partition, **{change.path: change.value for change in changes}}
        return with_expiry(conversation_from_item(created), self._policies.policy(caller.tenant))

    def get(self, caller: Caller, conversation_id: str) -> Conversation:
        """The conversation.

        Raises:
            ConversationNotFound: it is not the caller's.
        """
        conversation = self.head(caller, conversation_id).conversation
        return with_expiry(conversation, self._policies.policy(caller.tenant))

    def list(
        self,
        caller: Caller,
        *,
        limit: int,
        after: Position | None = None,
        status: Status = Status.ACTIVE,
        title: str = "",
        is_pinned: bool = False,
    ) -> tuple[tuple[Conversation, ...], Position | None]:
        """A page of the caller's conversations of one status, newest activity first, and where to go on.

        ``title``: only those whose title contains all its words; ``is_pinned``: only pinned ones. The limit
        is how many are looked at at a time, so a page may be shorter. Expired conversations that are not
        swept yet are left out. Eventually consistent: a change made less than a second ago may not show yet.
        """
        words = title.casefold().split()
        now, policy = self._clock.now(), self._policies.policy(caller.tenant)
        query = Query(
            index_partition(caller.tenant, caller.user, status),
            limit,
            index=keys.BY_USER.name,
            newest_first=True,
            after=after,
        )
        for page in query_pages(self._table(caller), query):
            read = (conversation_from_item(item) for item in page.items)
            found = tuple(
                with_expiry(each, policy)
                for each in read
                if (each.pinned or not is_pinned)
                and is_titled(each.title, words)
                and not is_expired(each, policy, now)
            )
            if found:
                return found, page.after
        return (), None

    def delete(self, caller: Caller, conversation_id: str) -> None:
        """Make the conversation unreadable and unlisted at once, and delete the examples learned from it.

        A running turn can't be stored any more. The data stays until the retention sweep removes it; until
        then the conversation can be restored.

        Raises:
            ConversationNotFound: it is not the caller's.
        """
        if not is_id(conversation_id):
            raise ConversationNotFound
        now, policy = self._clock.now(), self._policies.policy(caller.tenant)
        until = now + timedelta(days=days_kept(policy, Status.DELETED))
        changes: Changes = (
            Set("status", Status.DELETED.value),
            Set("by_user", index_partition(caller.tenant, caller.user, Status.DELETED)),
            Set("due", keys.due(due_day(until), conversation_id)),
            Set("updated_at", to_text(now)),
            Set("inbox", []),
            *(Remove(name) for name in ("lease", "inbox_ids", "load", STOPPED_TURNS)),
        )
        recorded = self._audit.build_record(caller, Act.CONVERSATION_DELETED, conversation_id)
        self._change_and(caller, conversation_id, changes, recorded)
        gone = self._table(caller).get(keys.head(caller.tenant, conversation_id))
        if gone is not None:
            delete_examples(self._table(caller), caller.tenant, conversation_from_item(gone))

    def newest(self, caller: Caller, head: ConversationHead, *, limit: int) -> tuple[Message, ...]:
        """The newest active messages, oldest first, of a conversation whose head was just read."""
        table, conversation = self._table(caller), head.conversation
        if conversation.path.is_whole:
            return newest_messages(table, caller.tenant, conversation.id, limit=limit)
        return active_messages(
            table,
            caller.tenant,
            conversation,
            limit=limit,
            low=1,
            high=keys.MAX_SEQUENCE,
            newest_first=True,
        )

    def page(
        self,
        caller: Caller,
        conversation_id: str,
        *,
        limit: int,
        before: int | None = None,
        after: int | None = None,
    ) -> tuple[Message, ...]:
        """Active messages, oldest first: the newest, those right before a sequence, or those right after one.

        Raises:
            ConversationNotFound: it is not the caller's.
        """
        head = self.head(caller, conversation_id)
        if before is None and after is None:
            return self.newest(caller, head, limit=limit)
        table, tenant, conversation = self._table(caller), caller.tenant, head.conversation
        low = 1 if after is None else after + 1
        high = keys.MAX_SEQUENCE if before is None else before - 1
        if not conversation.path.is_whole:
            return active_messages(
                table, tenant, conversation, limit=limit, low=low, high=high, newest_first=after is None
            )
        query = Query(
            keys.conversation(tenant, conversation_id),
            limit,
            low=keys.message(tenant, conversation_id, low).sort,
            high=keys.message(tenant, conversation_id, max(high, 0)).sort,
            newest_first=after is None,
        )
        items = table.query(query).items if low <= high else ()
        return tuple(message_from_item(item) for item in (reversed(items) if after is None else items))

    def messages(self, caller: Caller, conversation_id: str) -> Iterator[Message]:
        """All active messages, oldest first, read page by page.

        Raises:
            ConversationNotFound: it is not the caller's; raised when the first message is read.
        """
        after = 0
        while page := self.page(caller, conversation_id, limit=PAGE, after=after):
            yield from page
            after = page[-1].sequence

    def message(self, caller: Caller, conversation_id: str, message_id: str) -> Message:
        """One message.

        Raises:
            ConversationNotFound: it is not the caller's.
            MessageNotFound: the conversation has no such message, or it was deleted.
        """
        self.head(caller, conversation_id)
        sequence = parse_message_id(message_id)
        if sequence is None:
            raise MessageNotFound
        item = self._table(caller).get(keys.message(caller.tenant, conversation_id, sequence))
        message = message_from_item(item) if item else None
        if message is None or message.id != message_id or message.deleted:
            raise MessageNotFound
        return message

    def turn(self, caller: Caller, turn_id: str) -> TurnState:
        """The state of a turn, with its reply when it is done.

        Raises:
            TurnNotFound: no such turn in a conversation of the caller.
        """
        parsed = TurnId.parse(turn_id)
        if parsed is None:
            raise TurnNotFound
        try:
            head = self.head(caller, parsed.conversation_id)
        except ConversationNotFound as missing:
            raise TurnNotFound from missing
        place = head.inbox_position(parsed.ulid)
        if place is not None:
            leader = head.lease_owner(self._clock.now()) if place == 0 else None
            progress = TurnProgress.RUNNING if leader else TurnProgress.QUEUED
            received_at = head.inbox[place].received_at
            return TurnState(turn_id, parsed.conversation_id, progress, received_at, leader=leader)
        turn = find_turn(self._table(caller), caller.tenant, parsed)
        if turn is None:
            raise TurnNotFound
        return TurnState(turn_id, parsed.conversation_id, TurnProgress.DONE, turn.user.created_at, turn.reply)

    def head(self, caller: Caller, conversation_id: str) -> ConversationHead:
        """The conversation with its inbox and its lease.

        Raises:
            ConversationNotFound: it is not the caller's.
        """
        if not is_id(conversation_id):
            raise ConversationNotFound
        item = self._table(caller).get(keys.head(caller.tenant, conversation_id))
        if item is None or not is_owned_by(item, caller):
            raise ConversationNotFound
        head = head_from_item(item)
        if is_head_expired(head, self._policies.policy(caller.tenant), self._clock.now()):
            raise ConversationNotFound
        self._finish_orphans(caller, head)
        return head

    def _finish_orphans(self, caller: Caller, head: ConversationHead) -> None:
        if self._queue is None or not head.is_orphaned(self._clock.now()):
            return
        try:
            self._queue.send(caller.tenant, head.conversation.id)
        except QueueUnavailable:
            # The messages stay in the inbox; the next read asks again.
            return

    def usable_conditions(self, caller: Caller) -> Conditions:
        """The conditions that a head is the caller's, in use, and not expired."""
        return (
            owner_conditions(caller),
            *unexpired_conditions(self._policies.policy(caller.tenant), self._clock.now(), *ACTIVE_STATUSES),
        )

    def change(self, caller: Caller, conversation_id: str, changes: Changes) -> Conversation:
        """Change the head and return the conversation.

        Raises:
            ConversationNotFound: it is not the caller's.
        """
        if not is_id(conversation_id):
            raise ConversationNotFound
        conditions = self.usable_conditions(caller)
        update = Update(keys.head(caller.tenant, conversation_id), changes, conditions)
        try:
            changed = conversation_from_item(self._table(caller).update(update))
        except ConditionRefused as refused:
            raise ConversationNotFound from refused
        return with_expiry(changed, self._policies.policy(caller.tenant))

    def _change_and(self, caller: Caller, conversation_id: str, changes: Changes, also: Action) -> None:
        update = Update(keys.head(caller.tenant, conversation_id), changes, self.usable_conditions(caller))
        try:
            self._table(caller).transact([update, also])
        except TransactionRefused as refused:
            raise ConversationNotFound from refused

    def _table(self, caller: Caller) -> Table:
        return self._tables.for_tenant(caller.tenant)
