"""What other systems hear of: a port, and the events that go through it.

An event is published after what it tells of was stored, at least once. It holds ids, never what was said.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple, Protocol

from storage.keys import TenantId


class EventKind(StrEnum):
    """The kinds of events, as EventBridge's rules name them (``detail-type``)."""

    RUN_FINISHED = "Run Finished"
    RUN_FAILED = "Run Failed"
    BUDGET_REACHED = "Budget Reached"
    TENANT_CREATED = "Tenant Created"
    ERASURE_DONE = "Erasure Done"


class DomainEvent(NamedTuple):
    """One event. ``id`` is the same each time it is published."""

    kind: EventKind
    tenant: TenantId
    id: str
    detail: Mapping[str, str]


class EventsUnavailable(Exception):
    """The event was not published, or it is unknown whether it was; publish it again."""


class EventPublisher(Protocol):
    """Publishes events."""

    def publish(self, event: DomainEvent) -> None:
        """Publish an event.

        Raises:
            EventsUnavailable: it may not have been published.
        """
