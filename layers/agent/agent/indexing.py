"""Has what is said found by searches (`conversation.search`), and what is removed not found any more."""

from __future__ import annotations

from typing import cast

from agent.consequences import Change
from conversation.models import Role, Status
from conversation.ownership import is_living
from conversation.records import FORKING
from conversation.search_index import SearchIndex, owner_of
from storage import keys
from storage.table import Item


class Indexing:
    """Follows the messages and heads of all conversations."""

    def __init__(self, index: SearchIndex) -> None:
        self._index = index

    def follow(self, change: Change) -> None:
        """Have the conversation of a new reply, or a complete copy, indexed; forget one that is gone."""
        if change.new is None:
            return
        if change.key.sort == keys.HEAD:
            self._follow_head(change, change.old or {}, change.new)
        elif change.old is None and _is_reply(change.key.sort, change.new):
            # One write per turn: a reply's message is indexed along with it.
            self._index.note(*_place(change), keys.message_sequence(change.key.sort))

    def _follow_head(self, change: Change, old: Item, new: Item) -> None:
        tenant, conversation_id = _place(change)
        count = cast("int", new.get("count", 0))
        if FORKING in old and FORKING not in new and is_living(new) and count > 0:
            self._index.note(tenant, conversation_id, count, at_once=True)
        elif new.get("status") == Status.GONE and (owner := owner_of(old)):
            self._index.forget(tenant, owner, conversation_id)


def _is_reply(sort: str, message: Item) -> bool:
    return sort.startswith(keys.MESSAGE_PREFIX) and message.get("role") == Role.ASSISTANT


def _place(change: Change) -> tuple[keys.TenantId, str]:
    return keys.tenant_of(change.key.partition), change.key.partition.rpartition("#")[2]
