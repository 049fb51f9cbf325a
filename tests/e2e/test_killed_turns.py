"""A process that answers a message dies by SIGKILL at each storage request of the turn, or stalls: another
one makes it good.
"""

from __future__ import annotations

import signal
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from conversation.clock import FileClock
from conversation.messages.items import head_from_item
from conversation.tenants.store import TenantStore
from conversation.turns.admission import LEASE_DURATION
from local.sign_in.issuer import Issuer
from storage import keys
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.deployment.faulty_twins import MortalTwin
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually

pytestmark = pytest.mark.e2e

MORNING = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
FIRST_TURN = ("update head", "query workspace", "transact")
LATER_TURN = ("update head", "query messages", "query workspace", "transact")
COUNTED = ("update D", "update Q")
"""A new agent is counted for its user and its tenant."""


@dataclass(frozen=True)
class World:
    """Two processes over one folder: one that lives, and one that is killed and started again."""

    data: Path
    steady: Twin
    mortal: MortalTwin

    @property
    def clock(self) -> FileClock:
        return FileClock(self.data / "clock")

    @property
    def table(self) -> SqliteTable:
        return SqliteTable(self.data / "omniforge.db")

    def token(self, tenant: str) -> str:
        return Issuer(self.data).access_token(
            tenant=tenant, user="maya", roles=["admin"], now=self.clock.now()
        )

    def let_the_lease_run_out(self) -> None:
        """The only way a lease ends here: the clock of both processes stands still."""
        self.mortal.set_clock(self.clock.now() + LEASE_DURATION)


def agents_stored(world: World, tenant: str) -> int:
    """Agents in full, and not one more of them than there are cards."""
    listed = world.mortal.get("/v1/agents", token=world.token(tenant))["items"]
    with closing(sqlite3.connect(world.data / "omniforge.db")) as connection:
        statement = "select count(*) from items where sk = 'AGENT' and pk like ?"
        (stored,) = connection.execute(statement, (f"T#{tenant}#%",)).fetchone()
    assert len(listed) == stored
    return len(listed)


def policy_changes(world: World, tenant: str) -> int:
    """How often the policy was written; it says 90 days after the first."""
    record = TenantStore(tables=Tables(world.table), clock=world.clock).record(TenantId(tenant))
    assert record.policy.retention_days == (90 if record.version else 30)
    return record.version


@dataclass(frozen=True)
class Scenario:
    """A turn to be killed, what is said before it, and how to count what it did."""

    name: str
    opening: tuple[str, ...]
    message: str
    steps: tuple[str, ...]
    effects: Callable[[World, str], int]

    def points(self) -> Iterator[str]:
        for step in self.steps:
            yield from (f"before {step}", f"after {step}")


REQUEST = Scenario(
    name="one message that asks for an agent",
    opening=(),
    message=(
        "Create an agent that watches the PLATFORM project in Jira for tickets past their due date "
        "every morning at 9 and sends Slack alerts"
    ),
    # It says "due date", so that the user's tasks are read to understand it.
    steps=(*LATER_TURN, *COUNTED),
    effects=agents_stored,
)
WIZARD = Scenario(
    name="the last answer to the wizard",
    opening=(
        "I need a bot that watches Jira for overdue tickets every morning at 9",
        "It's the PLATFORM project, and overdue means past the due date",
    ),
    message="Send the alerts to Slack",
    steps=(*LATER_TURN, *COUNTED),
    effects=agents_stored,
)
POLICY = Scenario(
    name="the confirmation of a policy change",
    opening=("Keep our chats for 90 days",),
    message="Yes",
    steps=LATER_TURN,
    effects=policy_changes,
)
QUESTION = Scenario(
    name="a question",
    opening=("Hello",),
    message="What can you do?",
    steps=LATER_TURN,
    effects=agents_stored,
)
SCENARIOS = (REQUEST, WIZARD, POLICY)
CASES = [
    pytest.param(scenario, point, id=f"{scenario.name}: {point}")
    for scenario in SCENARIOS
    for point in scenario.points()
]
_numbers = count(1)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    data = tmp_path_factory.mktemp("killed")
    # The steady one leads up to a turn, and must not finish what the other leaves behind.
    elsewhere = {"OMNIFORGE_FINISH_QUEUE": f"sqlite:///{data}/elsewhere.db"}
    with (
        Twin(data, clock=MORNING, clock_runs=False, environ=elsewhere) as steady,
        MortalTwin(data, clock=MORNING, clock_runs=False, turns_only=True) as mortal,
    ):
        yield World(data, steady, mortal)


@dataclass(frozen=True)
class Case:
    """A turn about to be killed: whose, and where."""

    world: World
    scenario: Scenario
    tenant: str
    token: str
    conversation_id: str | None

    def send(self, *, key: str | None) -> httpx.Response:
        return self.world.mortal.chat(
            self.scenario.message, token=self.token, conversation_id=self.conversation_id, key=key
        )

    def go_on_with(self, message: str, twin: Twin) -> None:
        reply = twin.chat(message, token=self.token, conversation_id=self.conversation_id)
        assert reply.status_code == 200, reply.text

    @contextmanager
    def stalled_before_commit(self, *, key: str | None) -> Iterator[Future[httpx.Response]]:
        """The turn stands still with its answer made and not stored; afterwards it goes on."""
        self.world.mortal.arm("before transact", by=signal.SIGSTOP)
        with ThreadPoolExecutor(1) as pool:
            response = pool.submit(self.send, key=key)
            self.world.mortal.await_stall()
            try:
                yield response
            finally:
                self.world.mortal.resume()

    def die(self, point: str, *, key: str | None) -> None:
        self.world.mortal.arm(point)
        with pytest.raises(httpx.TransportError):
            self.send(key=key)
        self.world.mortal.await_death()
        self.world.mortal.restart()

    def messages(self, conversation_id: str) -> list[dict[str, Any]]:
        path = f"/v1/conversations/{conversation_id}/messages"
        items: list[dict[str, Any]] = self.world.mortal.get(path, token=self.token)["items"]
        return items

    def waiting(self) -> list[str]:
        """The turns that are admitted and not answered, as the table holds them."""
        item = self.world.table.get(keys.head(TenantId(self.tenant), str(self.conversation_id)))
        assert item is not None
        return [entry.ulid for entry in head_from_item(item).inbox]

    def require_one_exchange(self, conversation_id: str) -> None:
        """The conversation is what it would be had nobody died."""
        said = [*self.scenario.opening, self.scenario.message]
        messages = self.messages(conversation_id)
        assert [message["role"] for message in messages] == ["user", "assistant"] * len(said)
        assert [message["content"] for message in messages[::2]] == said
        listed = self.world.mortal.get("/v1/conversations", token=self.token)["items"]
        assert [conversation["id"] for conversation in listed] == [conversation_id]


def begun(world: World, scenario: Scenario) -> Case:
    """The scenario up to its last message, for a tenant of its own."""
    tenant = f"tenant-{next(_numbers)}"
    token, conversation_id = world.token(tenant), None
    for message in scenario.opening:
        reply = world.steady.chat(message, token=token, conversation_id=conversation_id)
        assert reply.status_code == 200, reply.text
        conversation_id = reply.json()["conversation_id"]
    assert scenario.effects(world, tenant) == 0
    return Case(world, scenario, tenant, token, conversation_id)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_the_killed_points_are_all_requests_there_are(world: World, scenario: Scenario) -> None:
    case = begun(world, scenario)
    world.mortal.arm("never")
    assert case.send(key="traced").status_code == 200
    made = world.mortal.disarm()
    # The first request of a token is preceded by its authorizer's own look at the tenant.
    assert sorted(name for name in made if name != "get policy") == sorted(scenario.steps)


@pytest.mark.parametrize(("scenario", "point"), CASES)
def test_a_retry_under_the_same_key_ends_with_one_exchange_and_one_effect(
    world: World, scenario: Scenario, point: str
) -> None:
    case = begun(world, scenario)
    case.die(point, key="only-once")
    reply = case.send(key="only-once")
    committed = point == "after transact"
    if point != "before update head" and not committed:
        # As far as anybody can tell the first caller is still being served, until its lease is over.
        assert (reply.status_code, reply.json()["code"]) == (409, "idempotency_in_progress")
        assert int(reply.headers["Retry-After"]) >= 1
        world.let_the_lease_run_out()
        reply = case.send(key="only-once")
    assert reply.status_code == 200, reply.text
    assert reply.headers.get("Idempotency-Replayed") == ("true" if committed else None)
    again = case.send(key="only-once")
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.json()["message"] == reply.json()["message"]
    conversation_id = reply.json()["conversation_id"]
    case.require_one_exchange(conversation_id)
    assert scenario.effects(world, case.tenant) == 1
    following = world.mortal.chat("List my agents", token=case.token, conversation_id=conversation_id)
    assert following.status_code == 200


def test_messages_nobody_sends_again_are_answered_once_somebody_looks(world: World) -> None:
    looks = {
        "after update head": "/v1/conversations/{conversation}",
        "after query messages": "/v1/conversations/{conversation}/messages",
        "before transact": "/v1/turns/{conversation}.{ulid}",
    }
    orphans = [(begun(world, WIZARD), point, look) for point, look in looks.items()]
    for case, point, _ in orphans:
        case.die(point, key=None)
        assert len(case.waiting()) == 1
    world.let_the_lease_run_out()
    for case, _, look in orphans:
        (ulid,) = case.waiting()
        path = look.format(conversation=case.conversation_id, ulid=ulid)
        assert world.mortal.request("GET", path, token=case.token).status_code == 200
    for case, _, _ in orphans:
        eventually(partial(_is_answered, case))
        case.require_one_exchange(str(case.conversation_id))
        assert WIZARD.effects(world, case.tenant) == 1


@pytest.mark.parametrize(
    ("scenario", "effects"), [(QUESTION, 0), (WIZARD, 1)], ids=["without an effect", "with an effect"]
)
def test_a_process_that_stalls_beyond_its_lease_can_not_store_its_answer(
    world: World, scenario: Scenario, effects: int
) -> None:
    case = begun(world, scenario)
    with case.stalled_before_commit(key=None) as response:
        world.let_the_lease_run_out()
        case.go_on_with("List my agents", world.steady)
    # Its caller gets the answer that was stored meanwhile by whoever took over.
    assert response.result().status_code == 200
    case.go_on_with("Thank you", world.mortal)
    said = [*scenario.opening, scenario.message, "List my agents", "Thank you"]
    stored = case.messages(str(case.conversation_id))
    assert [message["content"] for message in stored[::2]] == said
    assert stored[-5]["content"] == response.result().json()["message"]["content"]
    assert scenario.effects(world, case.tenant) == effects


def test_a_conversation_deleted_under_a_running_turn_stays_empty_and_the_turn_does_nothing(
    world: World,
) -> None:
    case = begun(world, WIZARD)
    path = f"/v1/conversations/{case.conversation_id}"
    with case.stalled_before_commit(key="deleted") as response:
        assert world.steady.request("DELETE", path, token=case.token).status_code == 204
    assert response.result().status_code == 404
    assert response.result().json()["code"] == "conversation_not_found"
    assert WIZARD.effects(world, case.tenant) == 0
    assert case.send(key="deleted").status_code == 404


def _is_answered(case: Case) -> bool:
    return not case.waiting()
