"""Reads stored messages and turns; all reads are strongly consistent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from conversation.identity import TurnId
from conversation.messages.branches import MAX_SKIPPED, BranchRange
from conversation.messages.items import message_from_item
from conversation.messages.models import Conversation, Message, Role
from conversation.messages.summaries import Summary, summary_from_item
from storage import keys
from storage.keys import TenantId
from storage.table import Query, Table, query_pages

_CLOCK_MARGIN = timedelta(minutes=5)
"""The greatest expected difference between the clock that made a turn's id and the one that stored its
messages.
"""

PAGE = 20


class Turn(NamedTuple):
    """A stored turn."""

    user: Message
    reply: Message


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a conversation that a turn reads: the newest messages, oldest first, and the summary of the
    messages before them. ``summary`` None: there is no summary yet.
    """

    messages: tuple[Message, ...] = ()
    summary: Summary | None = None


def read_window(table: Table, tenant: TenantId, conversation: Conversation, *, limit: int) -> Window:
    """The newest active messages and the summary, which counts as one of ``limit``; strongly consistent.

    The summary sorts after all messages, so a query that begins at the end returns it, too.
    """
    found: list[Message] = []
    summary, path = None, conversation.path
    for place, stretch in enumerate(_ranges_from_newest(conversation)):
        query = Query(
            keys.conversation(tenant, conversation.id),
            limit - len(found) - (summary is not None) + stretch.skipped,
            low=keys.message(tenant, conversation.id, stretch.low).sort,
            high=keys.message(tenant, conversation.id, stretch.high).sort if place else keys.SUMMARY,
            newest_first=True,
        )
        for item in table.query(query).items:
            if item["sk"] == keys.SUMMARY:
                summary = summary_from_item(item)
            elif path.has(keys.message_sequence(str(item["sk"]))) and len(found) < limit:
                found.append(message_from_item(item))
        if len(found) + (summary is not None) >= limit:
            break
    return Window(tuple(reversed(found)), summary)


def _ranges_from_newest(conversation: Conversation) -> Iterator[BranchRange]:
    """The ranges to read for the active messages, newest first, beginning after the newest message of all."""
    first, *others = conversation.path.ranges(1, conversation.count, newest_first=True)
    above = conversation.count - first.high
    if above > MAX_SKIPPED:
        yield BranchRange(conversation.count + 1, conversation.count + 1)
        yield first
    else:
        yield BranchRange(first.low, conversation.count, first.skipped + above)
    yield from others


def newest_messages(
    table: Table, tenant: TenantId, conversation_id: str, *, limit: int
) -> tuple[Message, ...]:
    """The newest messages of a conversation, active or not, oldest first; strongly consistent."""
    query = Query(
        keys.conversation(tenant, conversation_id), limit=limit, prefix=keys.MESSAGE_PREFIX, newest_first=True
    )
    return tuple(message_from_item(item) for item in reversed(table.query(query).items))


def active_messages(
    table: Table,
    tenant: TenantId,
    conversation: Conversation,
    *,
    limit: int,
    low: int = 1,
    high: int = keys.MAX_SEQUENCE,
    newest_first: bool = True,
) -> tuple[Message, ...]:
    """The newest or first active messages from ``low`` to ``high``, oldest first; strongly consistent.

    One request, plus one for each long run of replaced messages that is skipped.
    """
    found: list[Message] = []
    high, path = min(high, conversation.count), conversation.path
    for stretch in path.ranges(low, high, newest_first=newest_first):
        query = Query(
            keys.conversation(tenant, conversation.id),
            limit - len(found) + stretch.skipped,
            low=keys.message(tenant, conversation.id, stretch.low).sort,
            high=keys.message(tenant, conversation.id, stretch.high).sort,
            newest_first=newest_first,
        )
        read = (message_from_item(item) for item in table.query(query).items)
        found += [message for message in read if path.has(message.sequence)]
        if len(found) >= limit:
            break
    chosen = found[:limit]
    return tuple(reversed(chosen) if newest_first else chosen)


def read_turn(table: Table, tenant: TenantId, conversation_id: str, user_sequence: int) -> Turn:
    """The turn whose user message has this sequence number."""
    query = Query(
        keys.conversation(tenant, conversation_id),
        limit=2,
        low=keys.message(tenant, conversation_id, user_sequence).sort,
        high=keys.message(tenant, conversation_id, user_sequence + 1).sort,
    )
    user, reply = (message_from_item(item) for item in table.query(query).items)
    return Turn(user, reply)


def find_turn(table: Table, tenant: TenantId, turn_id: TurnId) -> Turn | None:
    """The stored turn, or None. The search ends at messages older than the turn's id."""
    oldest = turn_id.made_at() - _CLOCK_MARGIN
    query = Query(
        keys.conversation(tenant, turn_id.conversation_id),
        limit=PAGE,
        prefix=keys.MESSAGE_PREFIX,
        newest_first=True,
    )
    for page in query_pages(table, query):
        messages = [message_from_item(item) for item in page.items]
        found = {message.role: message for message in messages if message.turn_id == str(turn_id)}
        if len(found) == 2:
            return Turn(found[Role.USER], found[Role.ASSISTANT])
        # A message that was stored late has an earlier time than the messages before it.
        if messages and messages[-1].created_at < oldest and not messages[-1].late:
            break
    return None
