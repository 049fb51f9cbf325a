"""Updates the summary of a conversation with its newer messages, after turns and outside their latency.

Updates are incremental: the stored summary and the messages after it make the next one. Every step is
idempotent, and of two concurrent updates one is refused. A `Summariser` picks what is worth keeping.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from conversation.clock import Clock, to_millis
from conversation.identity import Caller
from conversation.messages.history import active_messages
from conversation.messages.items import ACTIVE_CONDITION, conversation_from_item, is_active
from conversation.messages.models import Conversation, Message
from conversation.messages.summaries import (
    Summary,
    SummaryLine,
    active_segments_text,
    summary_from_item,
    summary_to_item,
)
from conversation.redaction.masking import mask
from conversation.token_counts import estimate_tokens
from storage import keys
from storage.errors import TransactionRefused
from storage.keys import TenantId
from storage.table import Action, Check, Conditions, Equals, NotExists, Put, Table
from storage.tenant_table import Tables

LINES_TOKENS = 1_300
_DECISIONS_TOKENS = 250
_PINNED_TOKENS = 300
MAX_LINE_TOKENS = 40
_LEAST_TOKENS = 10
"""The length a decision or pinned message is cut to when there are too many; none is ever dropped."""

_MAX_MESSAGES = 2_000
"""Messages read for one update. Of a longer conversation without a summary, only the newest are read."""

OFFLINE = "offline"


class Summariser(Protocol):
    """Picks what is worth keeping of messages."""

    def lines(
        self, earlier: Sequence[SummaryLine], messages: Sequence[Message], owner: Caller
    ) -> tuple[tuple[SummaryLine, ...], str]:
        """The best of the earlier lines and of new lines from the messages, and who chose them.

        At most `LINES_TOKENS`; the chooser is ``offline`` or the id of a model.
        """


class ExtractiveSummariser:
    """A summariser without a model: the same messages give the same lines."""

    def lines(
        self,
        earlier: Sequence[SummaryLine],
        messages: Sequence[Message],
        owner: Caller,  # noqa: ARG002 - extracting costs nobody anything
    ) -> tuple[tuple[SummaryLine, ...], str]:
        from conversation.context.extractive_summary import extract_lines, select_lines

        return select_lines([*earlier, *extract_lines(messages)], LINES_TOKENS), OFFLINE


class SummaryUpdater:
    """Updates the summaries of all tenants' conversations."""

    def __init__(self, *, tables: Tables, clock: Clock, summariser: Summariser) -> None:
        self._tables = tables
        self._clock = clock
        self._summariser = summariser

    def update_summary(self, tenant: TenantId, conversation_id: str) -> Summary | None:
        """Update the summary up to the newest message and return it.

        None if there are no new messages, the conversation is not in use, or a concurrent update came first.
        """
        table = self._tables.for_tenant(tenant)
        item = table.get(keys.head(tenant, conversation_id))
        if item is None or not is_active(item):
            return None
        conversation = conversation_from_item(item)
        stored = read_summary(table, tenant, conversation_id)
        is_same_branch = stored is not None and stored.path == active_segments_text(
            conversation.path, stored.last
        )
        base = stored if is_same_branch else None
        messages = _unsummarised_messages(table, tenant, conversation, base)
        if not messages:
            return None
        summary = self._build_summary(base, messages, Caller(tenant, conversation.user), conversation)
        writes = summary_writes(tenant, conversation_id, stored, summary, now_ms=to_millis(self._clock.now()))
        try:
            table.transact([*writes, Check(keys.head(tenant, conversation_id), (ACTIVE_CONDITION,))])
        except TransactionRefused:
            # A concurrent update came first, or the conversation is gone: the next reply asks again if
            # needed.
            return None
        return summary

    def _build_summary(
        self, base: Summary | None, messages: Sequence[Message], owner: Caller, conversation: Conversation
    ) -> Summary:
        lines, made_by = self._summariser.lines(base.lines if base else (), messages, owner)
        last = messages[-1].sequence
        return Summary(
            version=0,
            first=base.first if base else messages[0].sequence,
            last=last,
            lines=lines,
            decisions=_fit((*(base.decisions if base else ()), *_decisions(messages)), _DECISIONS_TOKENS),
            pinned=_fit(
                (*(base.pinned if base else ()), *map(pinned_line, _pinned(messages))), _PINNED_TOKENS
            ),
            made_by=made_by,
            path=active_segments_text(conversation.path, last),
        )


def read_summary(table: Table, tenant: TenantId, conversation_id: str) -> Summary | None:
    """The stored summary, even if the messages it covers are not active any more; None without one."""
    item = table.get(keys.summary(tenant, conversation_id))
    return summary_from_item(item) if item else None


def summary_writes(
    tenant: TenantId, conversation_id: str, stored: Summary | None, summary: Summary, *, now_ms: int
) -> tuple[Action, ...]:
    """The writes that replace the stored summary and keep a copy for the receipts of turns that use this one.

    They are refused when the stored summary has changed.
    """
    # The version comes from the clock, so that none is used twice even after a summary was deleted.
    version = max(now_ms, stored.version + 1 if stored else 0)
    item = summary_to_item(tenant, conversation_id, replace(summary, version=version))
    as_stored: Conditions = (Equals("version", stored.version),) if stored else (NotExists(),)
    copy = keys.summary_version(tenant, conversation_id, version)
    return Put(item, as_stored), Put(item | {"sk": copy.sort})


def pinned_line(message: Message) -> SummaryLine:
    """The summary line of a pinned message."""
    return _line(message.sequence, mask(message.content), MAX_LINE_TOKENS * 2)


def _unsummarised_messages(
    table: Table, tenant: TenantId, conversation: Conversation, base: Summary | None
) -> Sequence[Message]:
    low = base.last + 1 if base else max(1, conversation.count - _MAX_MESSAGES + 1)
    if low > conversation.count:
        return ()
    read = active_messages(table, tenant, conversation, limit=_MAX_MESSAGES, low=low, newest_first=False)
    # Secrets are masked before anything is cut: half a key is not recognised.
    return [
        message.model_copy(update={"content": mask(message.content)})
        for message in read
        if not (message.deleted or message.unprocessed)
    ]


def _decisions(messages: Iterable[Message]) -> Iterable[SummaryLine]:
    for message in messages:
        if message.note.did:
            text = f"{message.created_at:%Y-%m-%d}: {message.note.did}"
            yield _line(message.sequence, text, MAX_LINE_TOKENS)


def _pinned(messages: Iterable[Message]) -> Iterable[Message]:
    return (message for message in messages if message.pinned)


def _fit(lines: Sequence[SummaryLine], budget_tokens: int) -> tuple[SummaryLine, ...]:
    """All lines; the oldest are cut short when the lines exceed the budget."""
    latest = list({line.text: line for line in lines}.values())
    left, fitted = budget_tokens, []
    for line in reversed(latest):
        is_full = line.tokens <= left
        shortened = line if is_full else _line(line.sequence, line.text, _LEAST_TOKENS)
        left = left - line.tokens if is_full else 0
        fitted.append(shortened)
    return tuple(reversed(fitted))


def _line(sequence: int, text: str, tokens: int) -> SummaryLine:
    from conversation.context.extractive_summary import shorten_text

    shortened = shorten_text(text, tokens)
    return SummaryLine(sequence, shortened, estimate_tokens(shortened) + 2)
