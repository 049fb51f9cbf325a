"""Pins and unpins messages, and takes deleted messages out of a conversation's summary.

`conversation.context.summary_updater` makes summaries.
"""

from __future__ import annotations

from dataclasses import replace

from conversation.clock import Clock, to_millis
from conversation.context.summary_updater import OFFLINE, pinned_line, read_summary, summary_writes
from conversation.errors import ConversationNotFound, MessageNotFound
from conversation.identity import Caller
from conversation.messages.models import Message
from conversation.messages.summaries import Summary, SummaryLine
from conversation.threads.repository import ConversationRepository
from storage import keys
from storage.errors import ConditionRefused, TransactionRefused
from storage.items import item_key
from storage.table import (
    MAX_BATCH,
    Action,
    Check,
    Delete,
    Equals,
    Exists,
    NotExists,
    Query,
    Remove,
    Set,
    Table,
    Update,
)
from storage.tenant_table import Tables

MAX_TRIES = 3


class Pins:
    """Pins messages in one user's conversations; other users' conversations are not found.

    Raises:
        ConversationNotFound, MessageNotFound: from `pin` and `unpin`.
    """

    def __init__(self, *, tables: Tables, clock: Clock, conversations: ConversationRepository) -> None:
        self._tables = tables
        self._clock = clock
        self._conversations = conversations

    def pin(self, caller: Caller, conversation_id: str, message_id: str) -> Message:
        """Pin the message and return it. Every later turn gets it as context, shortened if need be."""
        return self._set_pinned(caller, conversation_id, message_id, pinned=True)

    def unpin(self, caller: Caller, conversation_id: str, message_id: str) -> Message:
        """Unpin the message and return it."""
        return self._set_pinned(caller, conversation_id, message_id, pinned=False)

    def remove_from_summary(self, caller: Caller, conversation_id: str, sequence: int) -> None:
        """Remove from the summary, and from its earlier versions, all that comes from a message.

        A summary made by a model is deleted as a whole, because any of its lines may come from the message.
        The next reply makes a new one.
        """
        table = self._table(caller)
        stored = read_summary(table, caller.tenant, conversation_id)
        if stored is None or sequence > stored.last:
            return
        left = _without(stored, sequence) if stored.made_by == OFFLINE else None
        key = keys.summary(caller.tenant, conversation_id)
        unchanged = (Equals("version", stored.version),)
        self._clear_copies(table, caller, conversation_id)
        try:
            if left is None:
                table.delete(Delete(key, unchanged))
            else:
                table.transact(self._writes(caller, conversation_id, stored, left))
        except (ConditionRefused, TransactionRefused):
            # The summary was updated meanwhile: remove the message from the newer one, too.
            self.remove_from_summary(caller, conversation_id, sequence)

    def _set_pinned(self, caller: Caller, conversation_id: str, message_id: str, *, pinned: bool) -> Message:
        for _ in range(MAX_TRIES):
            message = self._conversations.message(caller, conversation_id, message_id)
            if message.deleted:
                raise MessageNotFound
            stored = read_summary(self._table(caller), caller.tenant, conversation_id)
            key = keys.message(caller.tenant, conversation_id, message.sequence)
            change = Set("pinned", True) if pinned else Remove("pinned")
            actions: list[Action] = [
                Check(
                    keys.head(caller.tenant, conversation_id), self._conversations.usable_conditions(caller)
                ),
                Update(key, (change,), (Exists(), NotExists("deleted"))),
            ]
            if stored is not None and message.sequence <= stored.last:
                updated = _with_pins(stored, message, pinned=pinned)
                actions += self._writes(caller, conversation_id, stored, updated)
            try:
                self._table(caller).transact(actions)
            except TransactionRefused:
                continue
            return message.model_copy(update={"pinned": pinned})
        raise ConversationNotFound

    def _writes(
        self, caller: Caller, conversation_id: str, stored: Summary, summary: Summary
    ) -> tuple[Action, ...]:
        now_ms = to_millis(self._clock.now())
        return summary_writes(caller.tenant, conversation_id, stored, summary, now_ms=now_ms)

    def _clear_copies(self, table: Table, caller: Caller, conversation_id: str) -> None:
        partition = keys.conversation(caller.tenant, conversation_id)
        query = Query(partition, MAX_BATCH, prefix=keys.SUMMARY_PREFIX)
        while items := table.query(query).items:
            table.batch_delete([*map(item_key, items)])

    def _table(self, caller: Caller) -> Table:
        return self._tables.for_tenant(caller.tenant)


def _without(summary: Summary, sequence: int) -> Summary:
    """The summary without a message's lines, nor those of the message after it.

    A short answer is joined to the question before it, so the next message's lines may quote this message.
    """
    sequences = {sequence, sequence + 1}

    def left(lines: tuple[SummaryLine, ...]) -> tuple[SummaryLine, ...]:
        return tuple(line for line in lines if line.sequence not in sequences)

    pinned = tuple(line for line in summary.pinned if line.sequence != sequence)
    return replace(
        summary,
        lines=left(summary.lines),
        decisions=tuple(line for line in summary.decisions if line.sequence != sequence),
        pinned=pinned,
    )


def _with_pins(summary: Summary, message: Message, *, pinned: bool) -> Summary:
    others = [line for line in summary.pinned if line.sequence != message.sequence]
    lines = [*others, pinned_line(message)] if pinned else others
    return replace(summary, pinned=tuple(sorted(lines, key=lambda line: line.sequence)))
