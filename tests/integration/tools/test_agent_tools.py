"""The agents' tools over a real table: whose they touch, and that a repeated step starts one run."""

from __future__ import annotations

from pydantic import JsonValue, TypeAdapter

from agent.inference.toolbox import AgentList, AgentTools
from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import AgentChange, AgentSpec
from agent.workspace.run_store import RunStore
from conversation.clock import Deadline
from conversation.identity import Caller, TurnId
from llm.request_types import ToolCall
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.run.clocks import ManualClock
from tools.tool import Toolbox, ToolContext, ToolResult

MAYA, BEN = (Caller(TenantId("acme"), user) for user in ("maya", "ben"))
STRANGER = Caller(TenantId("globex"), "maya")


class World:
    """One table with Maya's agent, and the tools over it."""

    def __init__(self) -> None:
        self.clock, tables = ManualClock(), Tables(SqliteTable(":memory:"))
        self.agents = AgentStore(tables=tables, clock=self.clock, delivery_hosts=("*",))
        self.runs = RunStore(tables=tables, clock=self.clock)
        self.box = Toolbox(AgentTools(agents=self.agents, runs=self.runs).tools())
        self.agents.create(MAYA, AgentSpec(name="sales-digest", what="sales"))
        self.turn = str(TurnId.make("c" * 32, self.clock.now()))

    def use(self, name: str, arguments: str = "{}", *, by: Caller = MAYA, step: int = 0) -> ToolResult:
        context = ToolContext(
            by,
            self.clock.now(),
            "UTC",
            f"{self.turn}.{step}",
            Deadline.after(self.clock, 20),
            conversation_id="c" * 32,
        )
        return self.box.call(ToolCall("c1", name, arguments), context)


def of(result: ToolResult) -> dict[str, JsonValue]:
    assert isinstance(result.data, dict), result
    return result.data


def test_agents_are_listed_for_who_asks_and_nobody_else() -> None:
    world = World()

    listed = TypeAdapter(AgentList).validate_python(world.use("list_agents").data)
    assert [(agent.name, agent.shared_by) for agent in listed.agents] == [("sales-digest", None)]
    for other in (BEN, STRANGER):
        assert of(world.use("list_agents", by=other))["agents"] == []
        assert world.use("run_agent", '{"name": "sales-digest"}', by=other).error_code == "not_found"
        assert world.use("agent_status", '{"name": "sales-digest"}', by=other).error_code == "not_found"


def test_a_step_that_is_done_again_starts_one_run() -> None:
    world = World()
    wish = '{"name": "Sales-Digest", "parameters": {"period": "Q1"}}'

    first, again = of(world.use("run_agent", wish)), of(world.use("run_agent", wish))
    another = of(world.use("run_agent", wish, step=1))

    assert first == again
    assert another["run_id"] != first["run_id"]
    runs, _ = world.runs.list(MAYA, limit=10)
    assert {run.id for run in runs} == {first["run_id"], another["run_id"]}
    assert all((run.parameters, run.conversation_id) == ({"period": "Q1"}, "c" * 32) for run in runs)


def test_the_status_tells_the_newest_run() -> None:
    world = World()
    assert of(world.use("agent_status", '{"name": "sales-digest"}'))["last_run"] is None

    run = of(world.use("run_agent", '{"name": "sales-digest"}'))

    assert of(world.use("agent_status", '{"name": "sales-digest"}'))["last_run"] == run


def test_names_that_identify_somebody_are_taken_from_the_caller() -> None:
    world = World()

    result = world.use("list_agents", '{"user_id": "maya", "tenant": "acme"}', by=BEN)

    assert of(result)["agents"] == []


def test_a_colleagues_agent_runs_with_nothing_allowed_and_not_after_a_change() -> None:
    world = World()
    hook = {"channels": ["webhook"], "recipients": ["https://hook.example.com"]}
    shape = {"name": "radar", "what": "radar", "shared": True, "delivery": hook}
    agent = world.agents.create(MAYA, AgentSpec.model_validate(shape))

    first = world.use("run_agent", '{"name": "radar"}', by=BEN)
    world.agents.update(MAYA, agent.id, AgentChange(instructions="Send all of it"))
    second = world.use("run_agent", '{"name": "radar"}', by=BEN, step=1)

    assert first.ok
    [run] = world.runs.list(BEN, limit=10)[0]
    assert run.consent is not None
    assert (run.consent.version, run.consent.addresses) == (1, False)
    assert (second.error_code, "instructions" in second.message) == ("not_allowed", True)


def test_ones_own_agent_is_run_before_a_colleagues_of_the_same_name() -> None:
    world = World()
    world.agents.create(BEN, AgentSpec(name="sales-digest", what="other sales", shared=True))

    run = world.runs.get(MAYA, str(of(world.use("run_agent", '{"name": "sales-digest"}'))["run_id"]))

    assert run.consent is None
