"""Reports the context a turn was answered with, from its receipt and the stored messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from conversation.context.context_snapshot import ContextReceipt, find_receipt, receipt_of
from conversation.context.window import Context, ContextLimits, build_context
from conversation.errors import TurnNotFound
from conversation.identity import Caller
from conversation.messages.items import message_from_item
from conversation.messages.models import Message
from conversation.messages.summaries import Summary, summary_from_item
from conversation.threads.repository import ConversationRepository
from storage import keys
from storage.table import Query, Table
from storage.tenant_table import Tables

_LIMITS = ContextLimits()
_ALL = 1_000_000_000
"""A budget that leaves nothing out, because the receipt already tells what was in the context."""


@dataclass(frozen=True, slots=True)
class OmittedRange:
    """Messages from ``first`` to ``last`` that were not in the context, and why.

    ``reason`` is ``summarised``, ``budget``, ``new_topic`` or ``inactive``.
    """

    first: int
    last: int
    reason: str


@dataclass(frozen=True, slots=True)
class TurnContext:
    """The context of a turn.

    ``summary_lost``: the context had a summary that was deleted since, with one of the messages it covered.
    """

    turn_id: str
    context: Context
    tokens: int
    omitted: tuple[OmittedRange, ...]
    summary_lost: bool = False


class ContextReports:
    """Reads the contexts of one user's turns."""

    def __init__(self, *, tables: Tables, conversations: ConversationRepository) -> None:
        self._tables = tables
        self._conversations = conversations

    def of_turn(self, caller: Caller, turn_id: str) -> TurnContext:
        """The context the turn was answered with.

        Raises:
            TurnNotFound: no such turn in a conversation of the caller, or it is not answered yet.
        """
        reply = self._conversations.turn(caller, turn_id).reply
        if reply is None:
            raise TurnNotFound
        table, receipt = self._tables.for_tenant(caller.tenant), find_receipt(reply)
        if receipt is None:
            return _assembled_again(turn_id, table, caller, reply)
        summary = _summary(table, caller, reply.conversation_id, receipt)
        read = _read(table, caller, reply.conversation_id, receipt.first, receipt.last)
        context = build_context(
            [message for message in read if receipt.includes(message.sequence)],
            budget_tokens=_ALL,
            max_messages=_ALL,
            window_tokens=_LIMITS.window_tokens,
            summary=summary,
        )
        lost = receipt.summary is not None and summary is None
        return TurnContext(turn_id, context, receipt.tokens, tuple(_omitted(receipt)), lost)


def _assembled_again(turn_id: str, table: Table, caller: Caller, reply: Message) -> TurnContext:
    """The context of a reply without a receipt, built from the messages before it."""
    last = reply.sequence - 1
    *before, asked = _read(table, caller, reply.conversation_id, last - _LIMITS.max_messages, last)
    context = build_context(before, window_tokens=_LIMITS.window_tokens, request_text=asked.content)
    return TurnContext(turn_id, context, context.tokens, tuple(_omitted(receipt_of(context))))


def _read(table: Table, caller: Caller, conversation_id: str, first: int, last: int) -> Sequence[Message]:
    if last < 1:
        return ()
    first = max(first, 1)
    query = Query(
        keys.conversation(caller.tenant, conversation_id),
        last - first + 1,
        low=keys.message(caller.tenant, conversation_id, first).sort,
        high=keys.message(caller.tenant, conversation_id, last).sort,
    )
    return [message_from_item(item) for item in table.query(query).items]


def _summary(table: Table, caller: Caller, conversation_id: str, receipt: ContextReceipt) -> Summary | None:
    if receipt.summary is None:
        return None
    item = table.get(keys.summary_version(caller.tenant, conversation_id, receipt.summary))
    if item is None:
        return None
    summary = summary_from_item(item)
    return replace(summary, lines=summary.lines[: receipt.summary_lines])


def _omitted(receipt: ContextReceipt) -> Iterator[OmittedRange]:
    """The left-out messages, oldest first: covered by the summary, without room, or on an inactive branch."""
    summarised = min(receipt.summary_last or 0, receipt.first - 1)
    if summarised > 0:
        yield OmittedRange(1, summarised, "summarised")
    if receipt.first - 1 > summarised:
        yield OmittedRange(summarised + 1, receipt.first - 1, "new_topic" if receipt.new_topic else "budget")
    for first, last in receipt.skipped:
        yield OmittedRange(first, last, "inactive")
