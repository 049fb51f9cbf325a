"""Has nothing left of what a conversation taught once the conversation is gone."""

from __future__ import annotations

from agent.consequences import Change
from conversation.models import Status
from conversation.records import conversation_from_item
from conversation.taught import forget_conversation
from storage import keys
from storage.tenant import Tables


class Forgetting:
    """Follows the heads of all conversations."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def follow(self, change: Change) -> None:
        """Remove the labelled examples of a conversation that is gone from now on; safe to repeat."""
        if change.old is None or change.new is None or change.key.sort != keys.HEAD:
            return
        if change.new.get("status") == Status.GONE != change.old.get("status"):
            tenant = keys.tenant_of(change.key.partition)
            gone = conversation_from_item(change.old)
            forget_conversation(self._tables.for_tenant(tenant), tenant, gone)
