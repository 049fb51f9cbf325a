"""Versions of messages: checks edits and regenerations, lists and selects versions, deletes messages.

`agent.turns.service` answers an edited or regenerated message.
"""

from __future__ import annotations

from dataclasses import dataclass

from conversation.clock import Clock
from conversation.errors import (
    ConversationBusy,
    ConversationNotFound,
    MessageNotFound,
    MessageReplaced,
    TooManyVersions,
    WrongMessageRole,
)
from conversation.identity import Caller
from conversation.messages.branches import MAX_SEGMENTS, BranchPath, parse_segments, segments_to_text
from conversation.messages.items import FILES, SECRET_KINDS, ReplacedVersion, message_from_item
from conversation.messages.models import Conversation, Message, Role
from conversation.tenants.audit import Act, AuditLog
from conversation.threads.example_removal import delete_examples_since
from conversation.threads.pins import Pins
from conversation.threads.repository import ConversationRepository
from storage import keys
from storage.errors import TransactionRefused
from storage.table import Changes, Check, Delete, Equals, Exists, Remove, Set, SizeBelow, Table, Update
from storage.tenant_table import Tables

MAX_VERSIONS = 50


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a message. ``active``: it is on the active branch of the conversation."""

    message: Message
    active: bool


class Versions:
    """Works on messages of one user's conversations; other users' conversations are not found.

    Raises:
        ConversationNotFound, MessageNotFound: from every method.
    """

    def __init__(self, *, tables: Tables, clock: Clock, conversations: ConversationRepository) -> None:
        self._audit = AuditLog(tables=tables, clock=clock)
        self._tables = tables
        self._conversations = conversations
        self._pins = Pins(tables=tables, clock=clock, conversations=conversations)

    def prepare_edit(self, caller: Caller, conversation_id: str, message_id: str) -> ReplacedVersion:
        """The user's message that an edited one will replace.

        Raises:
            WrongMessageRole: the message is an answer.
            TooManyVersions: it was edited too often.
        """
        message = self._conversations.message(caller, conversation_id, message_id)
        if message.role is not Role.USER:
            raise WrongMessageRole("messages of the user")
        return self._replaceable(caller, message)

    def prepare_regeneration(
        self, caller: Caller, conversation_id: str, message_id: str
    ) -> tuple[Message, ReplacedVersion]:
        """The request of an answer that is to be regenerated, and what its next version will replace.

        Raises:
            WrongMessageRole: the message is not an answer to a request.
            TooManyVersions: it was regenerated too often.
        """
        request = self._request(caller, self._conversations.message(caller, conversation_id, message_id))
        if request is None or request.id == message_id:
            raise WrongMessageRole("answers of the assistant")
        if request.deleted:
            raise MessageNotFound
        return request, self._replaceable(caller, request)

    def message_versions(self, caller: Caller, conversation_id: str, message_id: str) -> tuple[Version, ...]:
        """All versions of a request or of an answer, oldest first, without deleted ones."""
        message = self._conversations.message(caller, conversation_id, message_id)
        request = self._request(caller, message)
        if request is None:
            return (Version(message, active=True),)
        path = self._conversations.get(caller, conversation_id).path
        offset = message.sequence - request.sequence
        found = (self._at(caller, conversation_id, place + offset) for place in self._places(caller, request))
        return tuple(Version(each, path.has(each.sequence)) for each in found if each and not each.deleted)

    def select(self, caller: Caller, conversation_id: str, message_id: str) -> Conversation:
        """Make a version active again, with the messages that followed it, and return the conversation.

        Raises:
            ConversationBusy: a turn is running or waiting.
            MessageReplaced: no version of the message is active.
        """
        message = self._conversations.message(caller, conversation_id, message_id)
        request = self._request(caller, message)
        conversation = self._conversations.get(caller, conversation_id)
        if request is None or conversation.path.has(request.sequence):
            return conversation
        active = next(filter(conversation.path.has, self._places(caller, request)), None)
        if active is None or request.left is None:
            raise MessageReplaced
        self._switch(caller, conversation, active=active, to=request)
        return self._conversations.get(caller, conversation_id)

    def delete(self, caller: Caller, conversation_id: str, message_id: str) -> None:
        """Blank a message for good; delete its feedback and the examples learned from it or later messages.

        Its content is no longer part of any context or search. Its place stays, and so do the effects of its
        turn.
        """
        message = self._conversations.message(caller, conversation_id, message_id)
        self._pins.remove_from_summary(caller, conversation_id, message.sequence)
        blank: Changes = (
            Set("text", ""),
            Set("tokens", 0),
            Set("deleted", True),
            *(Remove(name) for name in ("meta", "note", "tools", "pinned", FILES, SECRET_KINDS)),
        )
        key = keys.message(caller.tenant, conversation_id, message.sequence)
        head = Check(keys.head(caller.tenant, conversation_id), self._conversations.usable_conditions(caller))
        feedback = Delete(keys.feedback(caller.tenant, conversation_id, message.sequence))
        recorded = self._audit.build_record(caller, Act.MESSAGE_DELETED, f"{conversation_id} {message_id}")
        try:
            self._table(caller).transact(
                [head, Update(key, blank, (Exists(),)), feedback, recorded, *_let_go(caller, message)]
            )
        except TransactionRefused as refused:
            raise ConversationNotFound from refused
        delete_examples_since(self._table(caller), caller.tenant, conversation_id, message.created_at)

    def _switch(self, caller: Caller, conversation: Conversation, *, active: int, to: Message) -> None:
        """Replace the conversation's active path by that of the version.

        Refused while a turn is running or waiting: its answer would go to the wrong branch.
        """
        count, path = conversation.count, conversation.path
        left = segments_to_text(path.segments(count))
        selected = BranchPath.from_segments(parse_segments(to.left or ""), count + 1)
        key = keys.message(caller.tenant, conversation.id, active)
        switched = Update(
            keys.head(caller.tenant, conversation.id),
            (Set("path", selected.to_text()),),
            # A message stays in the inbox until its answer is stored.
            (
                *self._conversations.usable_conditions(caller),
                SizeBelow("inbox", 1),
                Equals("count", count),
            ),
        )
        try:
            self._table(caller).transact([switched, Update(key, (Set("left", left),), (Exists(),))])
        except TransactionRefused as refused:
            raise ConversationBusy from refused

    def _replaceable(self, caller: Caller, request: Message) -> ReplacedVersion:
        conversation = self._conversations.get(caller, request.conversation_id)
        is_full = len(conversation.path.closed) >= MAX_SEGMENTS
        if is_full or len(self._places(caller, request)) >= MAX_VERSIONS:
            raise TooManyVersions
        return ReplacedVersion(request.sequence, request.root or request.sequence)

    def _places(self, caller: Caller, request: Message) -> tuple[int, ...]:
        """The places of all versions of a request, oldest first."""
        root = request.root or request.sequence
        first = request if root == request.sequence else self._at(caller, request.conversation_id, root)
        return (root, *(first.versions if first else ()))

    def _request(self, caller: Caller, message: Message) -> Message | None:
        """The user's message of a message's turn; None for a proactive message, which has no request."""
        if message.role is Role.USER:
            return message
        before = self._at(caller, message.conversation_id, message.sequence - 1)
        return before if before and before.turn_id == message.turn_id else None

    def _at(self, caller: Caller, conversation_id: str, sequence: int) -> Message | None:
        if sequence < 1:
            return None
        item = self._table(caller).get(keys.message(caller.tenant, conversation_id, sequence))
        return message_from_item(item) if item else None

    def _table(self, caller: Caller) -> Table:
        return self._tables.for_tenant(caller.tenant)


def _let_go(caller: Caller, message: Message) -> list[Delete]:
    """The writes by which the message's files go with it; other versions of it may have them, too."""
    if message.edited:
        return []
    return [
        Delete(keys.attached(caller.tenant, message.conversation_id, file.id)) for file in message.attachments
    ]
