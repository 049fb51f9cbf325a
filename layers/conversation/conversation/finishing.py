"""The port through which somebody asks that a conversation's waiting messages be answered later, or that an
answered turn be stored later."""

from __future__ import annotations

from typing import Protocol

from conversation.finished import FinishedTurn
from storage.keys import TenantId


class FinishQueue(Protocol):
    """Delivers at least once, in order within a conversation; whoever receives drains the conversation's
    inbox."""

    def send(self, tenant: TenantId, conversation_id: str) -> None:
        """Ask for the conversation to be drained.

        Raises:
            QueueUnavailable: nothing was queued; the messages stay durable in the inbox.
        """


class TurnQueue(FinishQueue, Protocol):
    """The same, for answered turns as well: whoever receives one stores it."""

    def keep(self, tenant: TenantId, turn: FinishedTurn) -> None:
        """Have the turn stored later.

        Raises:
            QueueUnavailable: it is not queued, and will not be stored.
        """


class QueueUnavailable(Exception):
    """The queue refused or is out of reach."""
