"""A user's conversations and messages outside of a turn: create, read, list, rename, delete, page.

Every method takes the caller first. A conversation of somebody else, a deleted one and one that never was are
all `ConversationNotFound`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from conversation.admission import DEFAULT_RETENTION_DAYS, creation_changes
from conversation.clock import Clock, to_text
from conversation.errors import ConversationNotFound, TurnNotFound
from conversation.finishing import FinishQueue, QueueUnavailable
from conversation.history import find_turn, newest_messages
from conversation.identity import Caller, TurnId, is_id, new_id
from conversation.models import Conversation, Message, Status
from conversation.records import Head, conversation_from_item, head_from_item, message_from_item
from storage import keys
from storage.errors import ConditionRefused
from storage.table import (
    Changes,
    Conditions,
    Equals,
    NotExists,
    Position,
    Query,
    Remove,
    Set,
    Table,
    Update,
)
from storage.tenant import Tables


class TurnProgress(StrEnum):
    """How far a turn is."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class TurnState:
    """A turn as its user sees it; ``reply`` is there when it is done."""

    turn_id: str
    conversation_id: str
    progress: TurnProgress
    received_at: datetime
    reply: Message | None = None


class ConversationRepository:
    """Conversations of one user at a time.

    Reading a conversation whose waiting messages nobody answers any more asks the ``queue`` to have them
    answered.
    """

    def __init__(self, *, tables: Tables, clock: Clock, queue: FinishQueue | None = None) -> None:
        self._tables = tables
        self._clock = clock
        self._queue = queue

    def create(
        self, caller: Caller, *, title: str | None = None, retention_days: int = DEFAULT_RETENTION_DAYS
    ) -> Conversation:
        """A new conversation without messages."""
        conversation_id, now = new_id(), self._clock.now()
        changes: Changes = (*creation_changes(caller, conversation_id, now, retention_days), Set("inbox", []))
        if title is not None:
            changes = (*changes, Set("title", title))
        update = Update(keys.head(caller.tenant, conversation_id), changes, (NotExists(),))
        return conversation_from_item(self._table(caller).update(update))

    def get(self, caller: Caller, conversation_id: str) -> Conversation:
        """The conversation.

        Raises:
            ConversationNotFound: it is not the caller's.
        """
        return self._head(caller, conversation_id).conversation

    def list(
        self, caller: Caller, *, limit: int, after: Position | None = None
    ) -> tuple[tuple[Conversation, ...], Position | None]:
        """A page of the caller's conversations, newest activity first, and where to go on (None: at the end).

        Eventually consistent: a change made less than a second ago may not show yet.
        """
        query = Query(
            keys.by_user(caller.tenant, caller.user),
            limit,
            index=keys.BY_USER.name,
            newest_first=True,
            after=after,
        )
        page = self._table(caller).query(query)
        return tuple(conversation_from_item(item) for item in page.items), page.after

    def rename(self, caller: Caller, conversation_id: str, title: str | None) -> Conversation:
        """The conversation under its new title; None takes the title away. Does not wait for a running
        turn."""
        change = Remove("title") if title is None else Set("title", title)
        return self._change(caller, conversation_id, (change, Set("updated_at", to_text(self._clock.now()))))

    def delete(self, caller: Caller, conversation_id: str) -> None:
        """Make the conversation unreadable and unlisted at once; a turn that is being answered can't be
        stored any more.

        Its bytes stay until the retention sweep takes them.
        """
        changes: Changes = (
            Set("status", Status.DELETED.value),
            Set("owner", keys.by_user(caller.tenant, caller.user)),
            Set("updated_at", to_text(self._clock.now())),
            Set("inbox", []),
            *(Remove(name) for name in ("by_user", "lease", "inbox_ids", "load")),
        )
        self._change(caller, conversation_id, changes)

    def recent(self, caller: Caller, conversation_id: str, *, limit: int = 20) -> tuple[Message, ...]:
        """The newest messages, oldest first."""
        return self.page(caller, conversation_id, limit=limit)

    def page(
        self,
        caller: Caller,
        conversation_id: str,
        *,
        limit: int,
        before: int | None = None,
        after: int | None = None,
    ) -> tuple[Message, ...]:
        """Messages, oldest first: the newest ones, those right before a sequence, or those right after
        one."""
        self._head(caller, conversation_id)
        table, tenant = self._table(caller), caller.tenant
        if before is None and after is None:
            return newest_messages(table, tenant, conversation_id, limit=limit)
        low = 1 if after is None else after + 1
        high = keys.MAX_SEQUENCE if before is None else before - 1
        query = Query(
            keys.conversation(tenant, conversation_id),
            limit,
            low=keys.message(tenant, conversation_id, low).sort,
            high=keys.message(tenant, conversation_id, max(high, 0)).sort,
            newest_first=after is None,
        )
        items = table.query(query).items if low <= high else ()
        return tuple(message_from_item(item) for item in (reversed(items) if after is None else items))

    def turn(self, caller: Caller, turn_id: str) -> TurnState:
        """How far a turn is, with its reply when it is done.

        Raises:
            TurnNotFound: no such turn in a conversation of the caller.
        """
        parsed = TurnId.parse(turn_id)
        if parsed is None:
            raise TurnNotFound
        try:
            head = self._head(caller, parsed.conversation_id)
        except ConversationNotFound as missing:
            raise TurnNotFound from missing
        place = head.place(parsed.ulid)
        if place is not None:
            is_led = place == 0 and head.is_led(self._clock.now())
            progress = TurnProgress.RUNNING if is_led else TurnProgress.QUEUED
            return TurnState(turn_id, parsed.conversation_id, progress, head.inbox[place].received_at)
        turn = find_turn(self._table(caller), caller.tenant, parsed)
        if turn is None:
            raise TurnNotFound
        return TurnState(turn_id, parsed.conversation_id, TurnProgress.DONE, turn.user.created_at, turn.reply)

    def _head(self, caller: Caller, conversation_id: str) -> Head:
        if not is_id(conversation_id):
            raise ConversationNotFound
        item = self._table(caller).get(keys.head(caller.tenant, conversation_id))
        owner = keys.by_user(caller.tenant, caller.user)
        if item is None or item.get("by_user") != owner or item.get("status") != Status.ACTIVE.value:
            raise ConversationNotFound
        head = head_from_item(item)
        self._finish_orphans(caller, head)
        return head

    def _finish_orphans(self, caller: Caller, head: Head) -> None:
        if self._queue is None or not head.is_orphaned(self._clock.now()):
            return
        try:
            self._queue.send(caller.tenant, head.conversation.id)
        except QueueUnavailable:
            # The messages stay in the inbox; whoever looks next asks again.
            return

    def _change(self, caller: Caller, conversation_id: str, changes: Changes) -> Conversation:
        if not is_id(conversation_id):
            raise ConversationNotFound
        conditions: Conditions = (
            Equals("by_user", keys.by_user(caller.tenant, caller.user)),
            Equals("status", Status.ACTIVE.value),
        )
        update = Update(keys.head(caller.tenant, conversation_id), changes, conditions)
        try:
            return conversation_from_item(self._table(caller).update(update))
        except ConditionRefused as refused:
            raise ConversationNotFound from refused

    def _table(self, caller: Caller) -> Table:
        return self._tables.for_tenant(caller.tenant)
