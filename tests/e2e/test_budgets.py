"""A tenant's budgets against many turns at once, through two processes that share a folder.

What was asked is taken from the model server, what was put aside from the table.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from conversation.clock import FileClock
from storage import keys
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Item
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.models.model_script import Reply, Request
from tests.fakes.models.model_server import ModelServer

pytestmark = pytest.mark.e2e

NOON = datetime(2026, 1, 30, 12, 0, tzinfo=UTC)
MODEL, STRONG = "gpt-4o-mini", "gpt-4o"
COST_MICRO_USD = 138
"""Of the 600 and 80 tokens that the scripted server says each answer took."""
DECIDED = {"action_type": "query_info", "confidence": 0.95, "entities": {"operation": "list_agents"}}
OPEN = {"action_type": "query_info", "confidence": 0.95, "entities": {}}
QUESTION = "Why is the sky blue?"
TURNS = 50
HELD_BACK = "Please list my agents"
AT_ONCE = "List my agents"


@dataclass
class HeldModel:
    """Answers at once, but what is held back, and for runs, only once it is free to."""

    free: threading.Event = field(default_factory=threading.Event)

    def __call__(self, request: Request) -> Reply:
        if HELD_BACK in request.last_user_message or request.body["model"] == STRONG:
            self.free.wait()
        return Reply(decision=OPEN if QUESTION in request.last_user_message else DECIDED)


@dataclass
class World:
    """Two gateways on one folder under one clock, and the model both ask."""

    data: Path
    gateways: tuple[Twin, Twin]
    server: ModelServer
    model: HeldModel

    def cap(self, tenant: str, usd: float | None, name: str = "usd_per_day") -> None:
        """Set one cap of the tenant's budget. The gateways may believe in the old one for five seconds."""
        token = self.gateways[0].token(tenant, "root", roles=["admin"])
        body = {"budget": {name: usd}}
        answer = self.gateways[0].request("PATCH", "/v1/tenant/policy", token=token, json=body)
        assert answer.status_code == 200, answer.text

    def ask(self, tenant: str, message: str, *, user: str = "maya", gateway: int = 0) -> httpx.Response:
        twin = self.gateways[gateway]
        return twin.chat(message, token=twin.token(tenant, user))

    def asks_its_model(self, gateway: int) -> bool:
        return _source(self.ask("warm", AT_ONCE, gateway=gateway)) == "model"

    def working_on_a_run(self, tenant: str) -> Item | None:
        """The tenant's budget while the strong model is asked."""
        asked = [request.body["model"] for request in self.server.log().requests]
        budget = self.budget(tenant)
        return budget if STRONG in asked and len(_held(budget)) == 1 else None

    def budget(self, tenant: str) -> Item:
        """The day's budget, as it lies in the table."""
        item = SqliteTable(self.data / "omniforge.db").get(keys.budget(TenantId(tenant), NOON.date()))
        return item or {"committed": 0, "spent": 0, "held": {}}

    def estimate(self, tenant: str) -> int:
        """What is put aside for one of the turns, in millionths of a dollar.

        Asked of a tenant with a name as long, because the prompt holds it.
        """
        twin = tenant[::-1]
        self.cap(twin, 1.0)
        with ThreadPoolExecutor(1) as pool:
            turn = pool.submit(self.ask, twin, HELD_BACK)
            (hold,) = eventually(lambda: _held(self.budget(twin)))
            self.model.free.set()
            assert turn.result().status_code == 200
        self.model.free.clear()
        self.server.forget()
        return hold

    def pass_minutes(self, minutes: float) -> None:
        """Let both gateways live so much later; their clock runs on by itself as well."""
        now = FileClock(self.data / "clock").now()
        self.gateways[0].set_clock(now + timedelta(minutes=minutes))

    def pass_seconds(self) -> None:
        """Let as much time pass as a changed budget takes to hold everywhere."""
        self.pass_minutes(0.1)

    def usage(self, tenant: str) -> Any:
        token = self.gateways[1].token(tenant, "root", roles=["admin"])
        return self.gateways[1].get("/v1/usage?scope=tenant", token=token)

    def own_usage(self, tenant: str, user: str) -> Any:
        return self.gateways[1].get("/v1/usage", token=self.gateways[1].token(tenant, user))

    def measured_usd(self) -> float:
        """What the metrics of both gateways say that turns have cost in the last minutes."""
        return sum(
            float(step["sums"].get("turn_cost_usd", 0.0))
            for gateway in self.gateways
            for step in gateway.get(
                "/operator/figures", token=gateway.token("platform", "olga", roles=["operator"])
            )["measured"]
        )


def _held(budget: Item) -> list[int]:
    held: Any = budget["held"]
    return [hold["amount"] for hold in held.values()]


def _decision(answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    decision: dict[str, Any] = answer.json()["metadata"]["decision"]
    return decision


def _source(answer: httpx.Response) -> str:
    return str(_decision(answer)["source"])


@pytest.fixture(scope="module")
def _world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    data, model = tmp_path_factory.mktemp("budgets"), HeldModel()
    with ModelServer(model) as server:
        environ = {
            "OPENAI_BASE_URL": server.base_url,
            "OPENAI_API_KEY": "test",
            "OMNIFORGE_INTENT_MODEL": MODEL,
            "OMNIFORGE_INTENT_DEADLINE_MS": "20000",
            "OMNIFORGE_STRONG_MODELS": STRONG,
        }
        with (
            Twin(data, environ=environ, clock=NOON) as one,
            Twin(data, environ=environ, clock=NOON) as two,
        ):
            yield World(data, (one, two), server, model)
            model.free.set()


@pytest.fixture
def world(_world: World) -> World:
    """Ready to ask, and nothing asked yet; each test has tenants of its own."""
    _world.model.free.clear()
    for gateway in (0, 1):
        eventually(partial(_world.asks_its_model, gateway))
    _world.server.forget()
    return _world


def test_fifty_turns_at_the_cap_never_reserve_past_it(world: World) -> None:
    estimate = world.estimate("acme")
    fitting = 10
    cap = fitting * estimate + estimate // 2
    world.cap("acme", cap / 1_000_000)
    with ThreadPoolExecutor(TURNS) as pool:
        turns = [
            pool.submit(world.ask, "acme", HELD_BACK, user=f"user-{n}", gateway=n % 2) for n in range(TURNS)
        ]
        refused = _first(turns, TURNS - fitting)
        assert {_decision(answer)["fallback_reason"] for answer in refused} == {"budget_reached"}
        assert all(answer.json()["message"]["content"].count("model budget") == 1 for answer in refused)
        eventually(lambda: len(world.server.log().requests) == fitting)
        held = world.budget("acme")
        assert held["committed"] == sum(_held(held))
        assert sum(_held(held)) <= cap

        assert _source(world.ask("acme-eu", AT_ONCE)) == "model"

        world.model.free.set()
        answers = [turn.result() for turn in turns]
    assert [_source(answer) for answer in answers].count("model") == fitting
    assert world.server.log().max_concurrency <= fitting + 1
    settled = world.budget("acme")
    assert (settled["spent"], settled["committed"], settled["held"]) == (
        fitting * COST_MICRO_USD,
        fitting * COST_MICRO_USD,
        {},
    )
    admin = world.gateways[1].token("acme", "root", roles=["admin"])
    told = world.gateways[1].get("/v1/usage?scope=tenant", token=admin)
    assert told["total"]["turns"] == fitting
    assert told["budget"]["spent_usd"] == fitting * COST_MICRO_USD / 1_000_000


def test_what_was_spent_before_a_budget_was_set_counts_and_a_changed_one_holds_within_seconds(
    world: World,
) -> None:
    estimate = world.estimate("globex")
    world.model.free.set()

    def sources() -> list[str]:
        return [_source(world.ask("globex", HELD_BACK, gateway=gateway)) for gateway in (0, 1)]

    def cap_that_one_call_exceeds(calls: int) -> float:
        return (calls * COST_MICRO_USD + estimate - 1) / 1_000_000

    assert sources() == ["model", "model"]
    world.cap("globex", cap_that_one_call_exceeds(2))
    world.pass_seconds()
    assert sources() == ["offline", "offline"]
    assert _decision(world.ask("globex", HELD_BACK))["fallback_reason"] == "budget_reached"

    world.cap("globex", None)
    world.pass_seconds()
    assert sources() == ["model", "model"]
    world.cap("globex", cap_that_one_call_exceeds(4))
    world.pass_seconds()
    assert sources() == ["offline", "offline"]
    world.cap("globex", cap_that_one_call_exceeds(5))
    world.pass_seconds()
    assert sources() == ["model", "offline"]

    told, cost = world.usage("globex"), 5 * COST_MICRO_USD / 1_000_000
    assert (told["total"]["cost_usd"], told["budget"]["spent_usd"]) == (cost, cost)
    assert world.budget("globex")["spent"] == 5 * COST_MICRO_USD


def test_every_figure_of_what_a_day_cost_is_the_same(world: World) -> None:
    world.model.free.set()
    for gateway in (0, 1):
        assert _source(world.ask("vandelay", HELD_BACK, gateway=gateway)) == "model"
    told, cost = world.usage("vandelay"), 2 * COST_MICRO_USD / 1_000_000
    assert (told["total"]["cost_usd"], told["budget"]["spent_usd"]) == (cost, cost)

    world.cap("vandelay", 30.0)
    world.pass_minutes(2)
    assert world.usage("vandelay")["budget"]["spent_usd"] == cost


@pytest.mark.parametrize(
    ("name", "said", "hits_colleague"),
    [
        ("usd_per_month", "Your workspace has used up its model budget for this month", True),
        ("usd_per_user_per_day", "You have used up your own model budget for today", False),
        ("usd_per_user_per_month", "You have used up your own model budget for this month", False),
    ],
)
def test_what_a_month_or_a_user_has_cost_counts_when_its_budget_is_set_and_has_one_figure(
    world: World, name: str, said: str, hits_colleague: bool
) -> None:
    tenant = "soylent" + name.replace("_", "")[-9:]
    estimate = world.estimate(tenant)
    world.model.free.set()
    measured = world.measured_usd()

    def cap(calls: int) -> None:
        world.cap(tenant, (calls * COST_MICRO_USD + estimate - 1) / 1_000_000, name)
        world.pass_seconds()

    def source(user: str = "maya", gateway: int = 0) -> str:
        return _source(world.ask(tenant, HELD_BACK, user=user, gateway=gateway))

    assert [source(gateway=0), source(gateway=1)] == ["model", "model"]
    cap(2)
    refused = world.ask(tenant, HELD_BACK, gateway=1)
    assert _decision(refused)["fallback_reason"] == "budget_reached"
    assert said in refused.json()["message"]["content"]
    assert source("jo") == ("offline" if hits_colleague else "model")
    cap(3)
    if hits_colleague:
        assert [source("jo"), source("jo")] == ["model", "offline"]
    else:
        assert [source(), source(gateway=1)] == ["model", "offline"]

    of_all, own = world.usage(tenant), world.own_usage(tenant, "maya")
    report = of_all if hits_colleague else own
    (cap_told,) = report["caps"]
    cost = 3 * COST_MICRO_USD / 1_000_000
    assert (cap_told["spent_usd"], cap_told["held_usd"]) == (cost, 0.0)
    assert report["total"]["cost_usd"] == cost
    assert world.measured_usd() - measured == pytest.approx(of_all["total"]["cost_usd"])
    roles = ["admin"] if hits_colleague else []
    token = world.gateways[0].token(tenant, "maya", roles=roles)
    told = world.gateways[0].chat("Am I near my limits?", token=token).json()["message"]["content"]
    assert f"cost {cost:.6f} USD of ".replace("0 USD", " USD") in told, told


def test_a_question_whose_strong_model_does_not_fit_is_answered_without_it(world: World) -> None:
    world.cap("umbrella", world.estimate("umbrella") * 2 / 1_000_000)
    answer = world.ask("umbrella", QUESTION)
    assert _source(answer) == "model"
    assert answer.json()["message"]["content"].count("model budget") == 1
    assert STRONG not in [request.body["model"] for request in world.server.log().requests]


def test_what_a_killed_process_had_put_aside_is_free_again(world: World) -> None:
    estimate = world.estimate("initech")
    world.cap("initech", estimate * 1.5 / 1_000_000)
    doomed = world.gateways[0]
    with ThreadPoolExecutor(1) as pool:
        turn = pool.submit(world.ask, "initech", HELD_BACK)
        eventually(lambda: _held(world.budget("initech")))
        doomed.kill9()
        assert isinstance(turn.exception(), httpx.TransportError)
    assert _source(world.ask("initech", AT_ONCE, user="jo", gateway=1)) == "offline"
    world.pass_minutes(2)
    assert _source(world.ask("initech", AT_ONCE, user="jo", gateway=1)) == "model"
    assert world.budget("initech")["committed"] == COST_MICRO_USD
    doomed.restart()


def test_a_killed_run_gives_back_what_was_put_aside_for_it(world: World) -> None:
    world.gateways[1].stop()  # so that the run is executed by the process that is killed
    world.cap("hooli", 1.0)
    doomed = world.gateways[0]
    token = doomed.token("hooli", "maya")
    agent = {"name": "page-watcher", "what": "pages that changed"}
    made = doomed.request("POST", "/v1/agents", token=token, json=agent).json()
    doomed.request("POST", f"/v1/agents/{made['id']}/runs", token=token, json={})
    budget = eventually(partial(world.working_on_a_run, "hooli"))
    world.cap("hooli", (int(str(budget["committed"])) + 1) / 1_000_000)
    doomed.kill9()

    doomed.restart()
    eventually(partial(world.asks_its_model, 0))
    assert _decision(world.ask("hooli", AT_ONCE, user="jo"))["fallback_reason"] == "budget_reached"
    world.pass_minutes(4)
    assert _source(world.ask("hooli", AT_ONCE, user="jo")) == "model"
    assert _held(budget)[0] not in _held(world.budget("hooli"))
    world.gateways[1].restart()


def _first(turns: list[Future[httpx.Response]], count: int) -> list[httpx.Response]:
    """The answers of the turns that end first."""
    pending, done = set(turns), list[httpx.Response]()
    while len(done) < count:
        ended, pending = wait(pending, timeout=30, return_when="FIRST_COMPLETED")
        assert ended, f"only {len(done)} turns ended"
        done += [turn.result() for turn in ended]
    assert len(done) == count
    return done
