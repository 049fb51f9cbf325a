"""Ids of conversations that begin with a message. They tell whose they are: while storage was out of reach an
id may have been handed out for a conversation that is not made yet, and its user's next message may make it.

Nothing here is secret, and nobody gains by making up an id: it makes a conversation of their own.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from conversation.identity import Caller, derived_id, is_id, new_id

MAY_BEGIN_FOR = timedelta(days=15)
"""Longer than any queue keeps a turn; what is deleted leaves a tombstone for as long."""

_BODY = 24
_TIME = 8


def beginning_id(caller: Caller, now: datetime) -> str:
    """The id of a new conversation: when it began, 64 random bits, and the mark of its user."""
    return _marked("begun", caller, f"{int(now.timestamp()):08x}" + new_id()[: _BODY - _TIME])


def keyed_id(caller: Caller, key: str) -> str:
    """The id of the conversation that begins under an Idempotency-Key, so that a retry finds it."""
    return _marked("keyed", caller, derived_id("conversation", caller.tenant, caller.user, key)[:_BODY])


def may_begin(conversation_id: str, caller: Caller, now: datetime) -> bool:
    """Whether the id was made for the caller, and so lately that its first message may still be waiting."""
    if not is_id(conversation_id):
        return False
    body = conversation_id[:_BODY]
    if conversation_id == _marked("keyed", caller, body):
        return True
    began = datetime.fromtimestamp(int(body[:_TIME], 16), UTC)
    return conversation_id == _marked("begun", caller, body) and abs(now - began) <= MAY_BEGIN_FOR


def _marked(kind: str, caller: Caller, body: str) -> str:
    return body + derived_id(kind, caller.tenant, caller.user, body)[: 32 - _BODY]
