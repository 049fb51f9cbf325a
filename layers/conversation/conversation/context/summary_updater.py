"""Folds the older messages of a conversation into its summary, behind the turns and off the user's path.

Incremental: what the summary tells already and the messages behind it make the next one. Every step may be
repeated, and of two who fold at once one is refused. What is worth telling is a `Summariser`'s to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from conversation.clock import Clock, to_millis
from conversation.identity import Caller
from conversation.messages.history import active_messages
from conversation.messages.items import conversation_from_item
from conversation.messages.models import Conversation, Message
from conversation.messages.ownership import IS_LIVING, is_living
from conversation.messages.summaries import Line, Summary, active_until, summary_from_item, summary_to_item
from conversation.redaction.redact import masked
from conversation.tokens import estimate_tokens
from storage import keys
from storage.errors import TransactionRefused
from storage.keys import TenantId
from storage.table import Action, Check, Conditions, Equals, NotExists, Put, Table
from storage.tenant import Tables

LINES_TOKENS = 1_300
DECISIONS_TOKENS = 250
PINNED_TOKENS = 300
MAX_LINE_TOKENS = 40
LEAST_TOKENS = 10
"""What is left of a decision or a pinned message where there are many: none is ever dropped."""

MAX_FOLDED = 2_000
"""Messages read at once; of a longer conversation that was never folded, as many of the newest."""

OFFLINE = "offline"


class Summariser(Protocol):
    """Says what is worth telling of messages."""

    def lines(
        self, earlier: Sequence[Line], messages: Sequence[Message], owner: Caller
    ) -> tuple[tuple[Line, ...], str]:
        """The most telling lines of what was told before and of the messages, at most `LINES_TOKENS`, and who
        chose them: ``offline`` or the id of a model."""


class Extracting:
    """The summariser that needs no model: the same messages make the same lines."""

    def lines(
        self,
        earlier: Sequence[Line],
        messages: Sequence[Message],
        owner: Caller,  # noqa: ARG002 - extracting costs nobody anything
    ) -> tuple[tuple[Line, ...], str]:
        from conversation.context.extractive_summary import (  # the chat, which forgets too, never folds
            chosen,
            extract,
        )

        return chosen([*earlier, *extract(messages)], LINES_TOKENS), OFFLINE


class Folding:
    """Keeps the summaries of all tenants' conversations."""

    def __init__(self, *, tables: Tables, clock: Clock, summariser: Summariser) -> None:
        self._tables = tables
        self._clock = clock
        self._summariser = summariser

    def fold(self, tenant: TenantId, conversation_id: str) -> Summary | None:
        """The summary brought up to the newest message; None when there was nothing to fold, or somebody else
        did at the same time."""
        table = self._tables.for_tenant(tenant)
        item = table.get(keys.head(tenant, conversation_id))
        if item is None or not is_living(item):
            return None
        conversation = conversation_from_item(item)
        stored = read_summary(table, tenant, conversation_id)
        is_of_them = stored is not None and stored.path == active_until(conversation.path, stored.last)
        base = stored if is_of_them else None
        messages = _untold(table, tenant, conversation, base)
        if not messages:
            return None
        summary = self._folded(base, messages, Caller(tenant, conversation.user), conversation)
        writes = summary_writes(tenant, conversation_id, stored, summary, now_ms=to_millis(self._clock.now()))
        try:
            table.transact([*writes, Check(keys.head(tenant, conversation_id), (IS_LIVING,))])
        except TransactionRefused:
            # Somebody folded the same, or the conversation is gone: the next reply asks again if need be.
            return None
        return summary

    def _folded(
        self, base: Summary | None, messages: Sequence[Message], owner: Caller, conversation: Conversation
    ) -> Summary:
        lines, made_by = self._summariser.lines(base.lines if base else (), messages, owner)
        last = messages[-1].sequence
        return Summary(
            version=0,
            first=base.first if base else messages[0].sequence,
            last=last,
            lines=lines,
            decisions=_within((*(base.decisions if base else ()), *_decisions(messages)), DECISIONS_TOKENS),
            pinned=_within(
                (*(base.pinned if base else ()), *map(pinned_line, _pinned(messages))), PINNED_TOKENS
            ),
            made_by=made_by,
            path=active_until(conversation.path, last),
        )


def read_summary(table: Table, tenant: TenantId, conversation_id: str) -> Summary | None:
    """The summary as it stands, of whatever messages."""
    item = table.get(keys.summary(tenant, conversation_id))
    return summary_from_item(item) if item else None


def summary_writes(
    tenant: TenantId, conversation_id: str, stored: Summary | None, summary: Summary, *, now_ms: int
) -> tuple[Action, ...]:
    """What puts a summary in the place of the stored one, refused when that has changed, and keeps a copy for
    the turns that are told this one."""
    # By the clock, so that no version comes twice even where a summary was taken away.
    version = max(now_ms, stored.version + 1 if stored else 0)
    item = summary_to_item(tenant, conversation_id, replace(summary, version=version))
    as_stored: Conditions = (Equals("version", stored.version),) if stored else (NotExists(),)
    copy = keys.earlier_summary(tenant, conversation_id, version)
    return Put(item, as_stored), Put(item | {"sk": copy.sort})


def pinned_line(message: Message) -> Line:
    """A pinned message as the summary tells it."""
    return _line(message.sequence, masked(message.content), MAX_LINE_TOKENS * 2)


def _untold(
    table: Table, tenant: TenantId, conversation: Conversation, base: Summary | None
) -> Sequence[Message]:
    low = base.last + 1 if base else max(1, conversation.count - MAX_FOLDED + 1)
    if low > conversation.count:
        return ()
    read = active_messages(table, tenant, conversation, limit=MAX_FOLDED, low=low, newest_first=False)
    # Before anything is cut: half a key looks like nothing.
    return [
        message.model_copy(update={"content": masked(message.content)})
        for message in read
        if not message.deleted
    ]


def _decisions(messages: Iterable[Message]) -> Iterable[Line]:
    for message in messages:
        if message.note.did:
            told = f"{message.created_at:%Y-%m-%d}: {message.note.did}"
            yield _line(message.sequence, told, MAX_LINE_TOKENS)


def _pinned(messages: Iterable[Message]) -> Iterable[Message]:
    return (message for message in messages if message.pinned)


def _within(lines: Sequence[Line], budget_tokens: int) -> tuple[Line, ...]:
    """All of the lines, the oldest cut short where they are too many."""
    latest = list({line.text: line for line in lines}.values())
    left, fitted = budget_tokens, []
    for line in reversed(latest):
        is_full = line.tokens <= left
        told = line if is_full else _line(line.sequence, line.text, LEAST_TOKENS)
        left = left - line.tokens if is_full else 0
        fitted.append(told)
    return tuple(reversed(fitted))


def _line(sequence: int, text: str, tokens: int) -> Line:
    from conversation.context.extractive_summary import shortened

    told = shortened(text, tokens)
    return Line(sequence, told, estimate_tokens(told) + 2)
