"""The port through which somebody asks that a conversation's waiting messages be answered later."""

from __future__ import annotations

from typing import Protocol

from storage.keys import TenantId


class FinishQueue(Protocol):
    """Delivers at least once, in order within a conversation; whoever receives drains the conversation's
    inbox."""

    def send(self, tenant: TenantId, conversation_id: str) -> None:
        """Ask for the conversation to be drained.

        Raises:
            QueueUnavailable: nothing was queued; the messages stay durable in the inbox.
        """


class QueueUnavailable(Exception):
    """The queue refused or is out of reach."""
