"""What an erasure meets on legal hold: named at once, hidden from its user, erased when it is lifted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from types import ModuleType

import pytest

from conversation.clock import Deadline
from conversation.erasure.eraser import HOLD_RETRY_S, SETTLING_TIME, Eraser
from conversation.erasure.requests import Erasure, Erasures, Progress
from conversation.errors import ConversationNotFound
from conversation.identity import ADMIN, OPERATOR, Caller
from conversation.retention.holds import LegalHolds
from conversation.tenants.policy import TenantStatus
from conversation.tenants.store import TenantStore
from conversation.threads.repository import ConversationRepository
from storage import keys
from storage.dynamodb.table import DynamoTable, create_table
from storage.sqlite.table import SqliteTable
from storage.table import Query, Table
from storage.tenant_table import Tables
from tests.fakes.aws.dynamodb import moto_client
from tests.fakes.aws.proxy_events import Answer, request
from tests.fakes.aws.tables import Crash, CrashAt, ObservedTable
from tests.fakes.data.old_conversations import write_conversation
from tests.fakes.data.scripted_turns import MAYA
from tests.fakes.data.users_to_erase import ACME
from tests.fakes.deployment import functions
from tests.fakes.run.clocks import ManualClock

ADMINISTRATOR = Caller(ACME, "ana", frozenset({ADMIN}))
OPERATING = Caller(ACME, "olga", frozenset({OPERATOR}))


class World:
    """A tenant in which Maya has a conversation on legal hold and another one."""

    def __init__(self, table: Table) -> None:
        self.table, self.tables, self.clock = table, Tables(table), ManualClock()
        self.erasures = Erasures(tables=self.tables, clock=self.clock)
        self.holds = LegalHolds(tables=self.tables, clock=self.clock)
        self.held = write_conversation(table, MAYA, "evidence", begun=self.clock.now())
        self.other = write_conversation(table, MAYA, "chat", begun=self.clock.now())
        self.holds.place(ACME, self.held)

    def run(self, asked: Erasure, table: Table | None = None) -> int | None:
        eraser = Eraser(tables=Tables(table or self.table), clock=self.clock)
        return eraser.run(ACME, asked.id, Deadline.after(self.clock, 1e9))

    def both_passes(self, asked: Erasure) -> Erasure:
        """The erasure when only what is on hold is left."""
        assert self.run(asked) == SETTLING_TIME.total_seconds()
        self.clock.advance(SETTLING_TIME.total_seconds())
        assert self.run(asked) == HOLD_RETRY_S
        return self.read(asked)

    def read(self, asked: Erasure) -> Erasure:
        found = self.erasures.find(ACME, asked.id)
        assert found is not None
        return found

    def items(self, conversation_id: str) -> int:
        """How many items there are of a conversation besides its head."""
        return len(self.table.query(Query(keys.conversation(ACME, conversation_id), 100)).items) - 1


@pytest.fixture(params=["sqlite", "moto"])
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    if request.param == "sqlite":
        with closing(SqliteTable(":memory:")) as table:
            yield World(table)
    else:
        with moto_client() as client:
            create_table(client, "held")
            yield World(DynamoTable(client, "held"))


@pytest.mark.parametrize("scope", ["user", "tenant"])
def test_the_first_pass_counts_and_names_what_is_on_hold(world: World, scope: str) -> None:
    asked = (
        world.erasures.request_for_user(ADMINISTRATOR, MAYA.user)
        if scope == "user"
        else world.erasures.request_for_tenant(OPERATING, ACME)
    )
    world.run(asked)

    receipt = world.read(asked)
    assert receipt.progress is Progress.SETTLING
    assert (receipt.held, receipt.held_conversations) == (1, frozenset({world.held}))
    assert world.items(world.held) == 2
    assert world.items(world.other) == 0


def test_an_erasure_waits_for_the_hold_and_goes_on_when_it_is_lifted(world: World) -> None:
    asked = world.erasures.request_for_user(ADMINISTRATOR, MAYA.user)
    assert world.both_passes(asked).progress is Progress.HELD
    assert world.run(asked) == HOLD_RETRY_S

    world.holds.lift(ACME, world.held)
    assert world.run(asked) is None

    receipt = world.read(asked)
    assert receipt.progress is Progress.DONE
    assert (receipt.held, receipt.held_conversations) == (0, frozenset())
    assert receipt.removed["conversations"] == 2
    assert world.items(world.held) == 0


def test_what_the_user_begins_anew_is_not_erased_with_it(world: World) -> None:
    asked = world.erasures.request_for_user(ADMINISTRATOR, MAYA.user)
    world.both_passes(asked)
    anew = write_conversation(world.table, MAYA, "a new beginning", begun=world.clock.now())

    world.holds.lift(ACME, world.held)
    world.run(asked)

    assert world.items(anew) == 2


def test_a_hold_that_comes_back_is_waited_for_again(world: World) -> None:
    asked = world.erasures.request_for_user(ADMINISTRATOR, MAYA.user)
    world.both_passes(asked)

    world.holds.lift(ACME, world.held)
    world.holds.place(ACME, world.held)
    assert world.run(asked) == HOLD_RETRY_S
    assert world.items(world.held) == 2
    world.holds.lift(ACME, world.held)
    assert world.run(asked) is None
    assert world.items(world.held) == 0


def test_two_erasures_wait_for_the_same_conversation(world: World) -> None:
    first = world.erasures.request_for_user(ADMINISTRATOR, MAYA.user)
    world.both_passes(first)
    second = world.erasures.request_for_user(ADMINISTRATOR, MAYA.user)
    assert world.both_passes(second).held == 1

    world.holds.lift(ACME, world.held)

    assert [world.run(each) for each in (second, first)] == [None, None]
    assert [world.read(each).held for each in (first, second)] == [0, 0]
    assert [world.read(each).progress for each in (first, second)] == [Progress.DONE] * 2


def test_a_hold_between_request_and_erasure_of_a_conversation_is_waited_for(world: World) -> None:
    asked = world.erasures.request_for_conversation(MAYA, world.other)
    world.holds.place(ACME, world.other)
    assert world.both_passes(asked).held_conversations == {world.other}

    world.holds.lift(ACME, world.other)

    assert world.run(asked) is None
    assert world.items(world.other) == 0


def test_an_erased_tenant_is_suspended_until_its_holds_are_lifted(world: World) -> None:
    tenants = TenantStore(tables=world.tables, clock=world.clock)
    asked = world.erasures.request_for_tenant(OPERATING, ACME)
    world.both_passes(asked)
    assert tenants.record(ACME).status is TenantStatus.SUSPENDED

    world.holds.lift(ACME, world.held)

    assert world.run(asked) is None
    assert tenants.record(ACME).status is TenantStatus.ERASED


def test_an_operator_may_let_a_tenant_in_again_meanwhile(world: World) -> None:
    tenants = TenantStore(tables=world.tables, clock=world.clock)
    asked = world.erasures.request_for_tenant(OPERATING, ACME)
    world.both_passes(asked)
    tenants.resume(ACME)

    world.holds.lift(ACME, world.held)

    assert world.run(asked) is None
    assert tenants.record(ACME).status is TenantStatus.ACTIVE


def test_a_crash_at_any_step_loses_no_hold() -> None:
    step = 0
    is_crashed = True
    while is_crashed:
        step += 1
        with closing(SqliteTable(":memory:")) as table:
            world = World(table)
            asked = world.erasures.request_for_user(ADMINISTRATOR, MAYA.user)
            crash = CrashAt(step, "before" if step % 2 else "after")
            observed = ObservedTable(table, crash)
            is_crashed = True
            with suppress(Crash):
                world.run(asked, observed)
                world.clock.advance(SETTLING_TIME.total_seconds())
                world.run(asked, observed)
                LegalHolds(tables=Tables(observed), clock=world.clock).lift(ACME, world.held)
                world.run(asked, observed)
                is_crashed = False
            for _ in range(3):
                world.run(asked)
                world.clock.advance(SETTLING_TIME.total_seconds())
            with suppress(ConversationNotFound):
                world.holds.lift(ACME, world.held)
            world.run(asked)
            receipt = world.read(asked)
            assert (receipt.progress, receipt.held) == (Progress.DONE, 0), step
            assert receipt.removed["conversations"] == 2
    assert step > 30


class Service:
    """The functions of a deployment, and Maya who has a conversation on hold."""

    def __init__(self, folder: Path) -> None:
        settings = functions.settings(folder)
        self._loaded: dict[str, ModuleType] = {
            name: functions.load(name, settings) for name in ("chat", "conversations", "tenants")
        }
        said = self.ask("chat", "POST", "/v1/chat", body={"message": "The vault is behind the painting."})
        self.held = str(said.json["conversation_id"])
        placed = self.ask("tenants", "PUT", f"/v1/tenant/holds/{self.held}", user="ana", roles="admin")
        assert placed.status == 200

    def ask(self, function: str, method: str, path: str, **more: object) -> Answer:
        return functions.invoke(self._loaded[function], request(method, path, **more))  # type: ignore[arg-type]


def test_the_request_itself_names_what_is_on_hold_and_hides_it(tmp_path: Path) -> None:
    service = Service(tmp_path)

    asked = service.ask("tenants", "POST", "/v1/users/maya/erasures", user="ana", roles="admin")

    assert asked.status == 202
    assert (asked.json["held"], asked.json["held_conversations"]) == (1, [service.held])
    # The functions are asked behind the gateway, whose authorizer refuses the user meanwhile.
    conversation = f"/v1/conversations/{service.held}"
    assert service.ask("conversations", "GET", conversation).status == 404
    assert service.ask("conversations", "GET", f"{conversation}/messages").status == 404
    assert service.ask("conversations", "POST", f"{conversation}/restore").status == 404
    assert service.ask("conversations", "GET", "/v1/conversations").json["items"] == []
    seen = service.ask("tenants", "GET", "/v1/tenant/conversations", user="ana", roles="admin")
    assert service.held in [each["id"] for each in seen.json["items"]]


def test_the_user_reads_nothing_of_it_in_any_way(world: World) -> None:
    world.both_passes(world.erasures.request_for_user(ADMINISTRATOR, MAYA.user))
    conversations = ConversationRepository(tables=world.tables, clock=world.clock)

    assert conversations.list(MAYA, limit=10) == ((), None)
    with pytest.raises(ConversationNotFound):
        conversations.page(MAYA, world.held, limit=10)
