"""Events for other systems: to EventBridge on AWS, into the log in the local twin, or nowhere."""

from __future__ import annotations

import functools
import json
import logging
from collections.abc import Callable
from typing import Any, Protocol

from conversation.clock import Clock
from conversation.domain_events import DomainEvent, EventKind, EventPublisher, EventsUnavailable
from resilience.cache import Cache
from storage.keys import TenantId

LOG = logging.getLogger("omniforge.events")
SOURCE = "omniforge"
TO_LOG = "log:"
MAX_TENANTS = 1_024


class EventsClient(Protocol):
    """The part of boto3's EventBridge client that is used."""

    def put_events(self, **arguments: Any) -> Any:
        """Source: EventBridge API, PutEvents."""


class EventBridgePublisher:
    """Publishes on one event bus; safe to use from several threads."""

    def __init__(self, connect: Callable[[], EventsClient], bus: str) -> None:
        self._client = functools.cache(connect)
        self._bus = bus

    def publish(self, event: DomainEvent) -> None:
        from botocore.exceptions import BotoCoreError, ClientError

        entry = {
            "EventBusName": self._bus,
            "Source": SOURCE,
            "DetailType": event.kind.value,
            "Detail": json.dumps(_detail_of(event)),
        }
        try:
            answer = self._client().put_events(Entries=[entry])
        except (BotoCoreError, ClientError):
            raise EventsUnavailable from None
        if answer.get("FailedEntryCount"):
            raise EventsUnavailable


class LogPublisher:
    """Writes events into the log."""

    def publish(self, event: DomainEvent) -> None:
        LOG.info("event published", extra={"kind": event.kind.value, "detail": _detail_of(event)})


class NoPublisher:
    """Publishes nothing, where nobody listens."""

    def publish(self, event: DomainEvent) -> None:
        pass


class BudgetWatch(logging.Handler):
    """Publishes that a tenant's budget is reached, of the event that is logged then.

    Once per tenant and day from each process; tried again at the next event if it fails.
    """

    def __init__(self, publisher: EventPublisher, clock: Clock) -> None:
        super().__init__()
        self._publisher = publisher
        self._clock = clock
        self._told = Cache[tuple[TenantId, str], bool](MAX_TENANTS)

    def emit(self, record: logging.LogRecord) -> None:
        if record.msg != "budget reached":
            return
        tenant, whose = record.__dict__["tenant"], str(record.__dict__["budget_of"])
        day = self._clock.now().date().isoformat()
        if self._told.get((tenant, day)):
            return
        detail = {"day": day, "budget_of": whose}
        try:
            self._publisher.publish(DomainEvent(EventKind.BUDGET_REACHED, tenant, f"{tenant}.{day}", detail))
        except EventsUnavailable:
            LOG.warning("event not published", extra={"kind": EventKind.BUDGET_REACHED.value})
        else:
            self._told.put((tenant, day), value=True)


def open_event_publisher(bus: str | None, clock: Clock) -> EventPublisher:
    """The publisher for the setting ``OMNIFORGE_EVENT_BUS``; it hears of budgets from now on."""
    if bus is None:
        return NoPublisher()
    publisher = LogPublisher() if bus == TO_LOG else EventBridgePublisher(_connect, bus)
    # One in a process, however many functions the local twin runs in it.
    budgets = logging.getLogger("omniforge.budgets")
    budgets.handlers = [BudgetWatch(publisher, clock)]
    return publisher


def _detail_of(event: DomainEvent) -> dict[str, str]:
    return {"id": event.id, "tenant": event.tenant, **event.detail}


def _connect() -> EventsClient:
    import boto3

    client: EventsClient = boto3.client("events")
    return client
