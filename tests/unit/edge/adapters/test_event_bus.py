from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError

from conversation.domain_events import DomainEvent, EventKind, EventsUnavailable
from conversation.tenants.creation import TenantCreationFollower
from edge.adapters.event_bus import BudgetWatch, EventBridgePublisher, open_event_publisher
from storage import keys
from storage.keys import TenantId
from storage.table import Item, StreamRecord
from tests.fakes.run.clocks import ManualClock

ACME = TenantId("acme")
BUS = "arn:aws:events:eu-west-1:000000000000:event-bus/others"
EVENT = DomainEvent(EventKind.RUN_FINISHED, ACME, "r1", {"agent_id": "a1"})


class Bus:
    """A client of EventBridge that keeps what it gets, or refuses it."""

    def __init__(self) -> None:
        self.entries: list[dict[str, Any]] = []
        self.fails: int | Exception = 0

    def put_events(self, **arguments: Any) -> Any:
        if isinstance(self.fails, Exception):
            raise self.fails
        self.entries += arguments["Entries"]
        return {"FailedEntryCount": self.fails}


class Heard:
    def __init__(self) -> None:
        self.events: list[DomainEvent] = []
        self.is_down = False

    def publish(self, event: DomainEvent) -> None:
        if self.is_down:
            raise EventsUnavailable
        self.events.append(event)


@pytest.fixture
def budgets() -> Iterator[logging.Logger]:
    logger = logging.getLogger("omniforge.budgets")
    before = logger.handlers
    yield logger
    logger.handlers = before


def test_an_event_is_put_on_the_bus_with_its_tenant_and_id() -> None:
    bus = Bus()
    EventBridgePublisher(lambda: bus, BUS).publish(EVENT)
    (entry,) = bus.entries
    assert json.loads(entry.pop("Detail")) == {"id": "r1", "tenant": "acme", "agent_id": "a1"}
    assert entry == {"EventBusName": BUS, "Source": "omniforge", "DetailType": "Run Finished"}


@pytest.mark.parametrize("failure", [1, ClientError({"Error": {"Code": "InternalException"}}, "PutEvents")])
def test_an_event_that_the_bus_did_not_take_has_to_be_published_again(failure: int | Exception) -> None:
    bus = Bus()
    bus.fails = failure
    with pytest.raises(EventsUnavailable):
        EventBridgePublisher(lambda: bus, BUS).publish(EVENT)


def test_a_reached_budget_is_told_once_a_day_and_again_if_nobody_heard_of_it(budgets: logging.Logger) -> None:
    clock, heard = ManualClock(), Heard()
    budgets.handlers = [BudgetWatch(heard, clock)]

    def reach(tenant: str) -> None:
        budgets.warning("budget reached", extra={"tenant": tenant, "budget_of": "operators"})

    heard.is_down = True
    reach("acme")
    heard.is_down = False
    for tenant in ("acme", "acme", "other"):
        reach(tenant)
    clock.advance(timedelta(days=1).total_seconds())
    reach("acme")
    budgets.warning("budget_not_settled", extra={"tenant": "acme"})

    assert [(event.kind, event.tenant) for event in heard.events] == [
        (EventKind.BUDGET_REACHED, tenant) for tenant in ("acme", "other", "acme")
    ]
    assert len({event.id for event in heard.events}) == 3


def test_without_a_bus_nothing_is_published_and_nobody_listens(budgets: logging.Logger) -> None:
    budgets.handlers = []
    open_event_publisher(None, ManualClock()).publish(EVENT)
    assert budgets.handlers == []


def test_the_twin_writes_events_into_its_log(
    budgets: logging.Logger, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "omniforge.events"):
        open_event_publisher("log:", ManualClock()).publish(EVENT)
    (told,) = (vars(record) for record in caplog.records)
    assert (told["kind"], told["detail"]["agent_id"]) == ("Run Finished", "a1")
    assert len(budgets.handlers) == 1


def test_only_a_tenants_first_record_tells_of_its_creation() -> None:
    heard = Heard()
    follower = TenantCreationFollower(heard)
    item: Item = {"name": "Acme"}
    follower.handle(StreamRecord(keys.policy(ACME), None, item))
    follower.handle(StreamRecord(keys.policy(ACME), item, item))
    follower.handle(StreamRecord(keys.policy(ACME), item, None))
    follower.handle(StreamRecord(keys.agent(ACME, "a1"), None, item))
    assert heard.events == [DomainEvent(EventKind.TENANT_CREATED, ACME, "acme", {})]
