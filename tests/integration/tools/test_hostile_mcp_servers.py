"""Runs over MCP servers that are hostile in every way: each run ends and says what failed, and the process
goes on.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from agent.inference.router import Router
from agent.inference.tool_loop import ToolLoop
from agent.inference.toolbox import Toolboxes
from agent.inference.turn_budget import TurnBudgets
from agent.runs.claims import RunResult
from agent.runs.run_queue import CheckRequest
from agent.runs.skill_tools import SkillTools
from agent.runs.worker import Job, RunWorker
from agent.workspace.agents import Agent, AgentSpec
from agent.workspace.roster import read_roster
from agent.workspace.runs import Run
from agent.workspace.skill_store import SkillStore
from agent.workspace.skills import HealthStatus, SkillSpec
from conversation.clock import Deadline
from conversation.identity import Caller, new_ulid
from conversation.usage.budgets import Budgets
from llm.request_types import ToolCall
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.models.hostile_mcp import BIDI, KINDS
from tests.fakes.models.scripted_mcp import SEARCH, Exchange, ScriptedMcpServer
from tests.fakes.models.scripted_models import FAST, STRONG, ScriptedModels, pool_of, response
from tests.fakes.run.clocks import ManualClock
from tools.builtin.calculator import calculator
from tools.outbound.client import OutboundClient
from tools.remote.remote_server import CALL_TIMEOUT_S, MAX_TOOLS

pytestmark = pytest.mark.slow

MAYA = Caller(TenantId("acme"), "maya")
UNUSABLE, FAILED = "I couldn't use the skill wiki: ", "The tool search of the skill wiki failed: "
NO_MCP = f"{UNUSABLE}it doesn't speak MCP as it should."
GONE = f"{UNUSABLE}it couldn't be reached."
LATE = f"{UNUSABLE}it took too long to answer."
TOO_MUCH = f"{UNUSABLE}its answer was too large."
OTHER_RESULT = f"{FAILED}it answered something other than it promises."

AT_ONCE: dict[str, str | None] = {
    "a_batch": NO_MCP,
    "accepts_and_says_nothing": NO_MCP,
    "another_result_than_promised": OTHER_RESULT,
    "asks_us_for_everything": None,
    "broken_text": NO_MCP,
    "cancels_our_request": OTHER_RESULT,
    "deep_json": NO_MCP,
    "deep_result": OTHER_RESULT,
    "description_with_orders_and_marks": None,
    "empty_answers": NO_MCP,
    "endless_body": TOO_MUCH,
    "enormous_choice": None,
    "enormous_integer": NO_MCP,
    "error_result_with_orders": f"{FAILED}it reported an error.",
    "error_with_a_secret_and_orders": f"{UNUSABLE}it, or the secret it is called with, wasn't available.",
    "exponential_pattern": None,
    "exponential_pattern_of_fields": None,
    "exponential_pattern_of_results": None,
    "flood_of_notifications": f"{FAILED}its answer was too large.",
    "flood_of_progress": None,
    "gigantic_result": f"{FAILED}its answer was too large.",
    "gzip_bomb": TOO_MUCH,
    "half_a_character": NO_MCP,
    "huge_header": GONE,
    "huge_result": f"{FAILED}its answer was too large.",
    "list_changes_in_mid_call": None,
    "names_of_ours": None,
    "names_of_ten_kilobytes": None,
    "names_that_are_none": None,
    "names_that_become_the_same": None,
    "names_with_control_characters": None,
    "no_http": GONE,
    "nonsense_version": NO_MCP,
    "not_quite_deep_json": NO_MCP,
    "numbers_that_are_none": NO_MCP,
    "only_versions_of_the_future": f"{UNUSABLE}it refused.",
    "page_of_html": NO_MCP,
    "pattern_of_names": None,
    "pattern_too_deep_to_compile": None,
    "recursive_schema": None,
    "redirects_in_a_circle": GONE,
    "redirects_to_a_page": GONE,
    "redirects_to_the_metadata_service": f"{UNUSABLE}its address isn't one I may speak to.",
    "resets_at_once": GONE,
    "resets_the_call": f"{FAILED}it couldn't be reached.",
    "result_of_a_new_type": OTHER_RESULT,
    "result_of_links": None,
    "result_of_pictures": None,
    "results_that_unfold": None,
    "schema_elsewhere": None,
    "schema_that_unfolds": None,
    "schemas_that_are_none": None,
    "server_error_with_a_trace": f"{FAILED}it, or the secret it is called with, wasn't available.",
    "session_id_with_a_line_break": None,
    "session_is_gone": f"{FAILED}it reported an error.",
    "stream_that_resumes_next_year": OTHER_RESULT,
    "ten_thousand_tools": None,
    "thousand_headers": GONE,
    "tools_of_the_wrong_type": NO_MCP,
    "two_results": None,
    "unknown_compression": GONE,
    "wants_a_key": f"{UNUSABLE}it refuses the key it is called with, or wants one.",
    "wrong_ids": NO_MCP,
}
"""What a run says of each kind; None: nothing, since the kind does no harm."""

WHEN_TIME_IS_OVER = {
    "drips_bytes": LATE,
    "drips_the_result": f"{FAILED}it took too long to answer.",
    "hangs_in_the_call": f"{FAILED}it took too long to answer.",
    "never_answers": LATE,
    "slow_pages": LATE,
    "stream_without_end": LATE,
    "wants_input_again_and_again": f"{FAILED}it took too long to answer.",
}
"""The kinds that a run gives up when their time is over."""


@dataclass
class Watched:
    """Keeps what the progress of a run says."""

    lines: list[str] = field(default_factory=list)

    def record_progress(self, line: str) -> None:
        self.lines.append(line)

    def is_stopped(self) -> bool:
        return False


class NoSecrets:
    def get(self, tenant: TenantId, name: str) -> str | None:
        return None


class Bench:
    """Maya's agent with the skill ``wiki``; its model calls ``search``, then writes its result."""

    def __init__(self, server: ScriptedMcpServer, *, timeout_s: float = CALL_TIMEOUT_S) -> None:
        self.clock, self.watch = ManualClock(), Watched()
        self.tables = Tables(SqliteTable(":memory:"))
        outbound = OutboundClient(allow_loopback=True)
        self.store = SkillStore(tables=self.tables, clock=self.clock, outbound=outbound)
        self.skill = self.store.create(MAYA, SkillSpec(name="wiki", url=server.url))
        self.skills = SkillTools(
            store=self.store, secrets=NoSecrets(), outbound=outbound, clock=self.clock, timeout_s=timeout_s
        )

    def run(self) -> RunResult:
        chosen = response('{"model": "openai/deep-thinker", "tools": []}')
        call = response("", ToolCall("c1", "wiki__search", '{"query": "plans"}'))
        self.models = ScriptedModels(self.clock, (chosen, call, response("Done.")))
        pool = pool_of(self.models, STRONG)
        worker = RunWorker(
            router=Router(pool, fast_model=FAST),
            tool_loop=ToolLoop(pool),
            toolboxes=Toolboxes([calculator()]),
            skills=self.skills,
            turn_budgets=TurnBudgets(Budgets(tables=self.tables, clock=self.clock)),
            is_ready=lambda _seconds: True,
            clock=self.clock,
        )
        now = self.clock.now()
        spec = AgentSpec.model_validate({"name": "reader", "what": "the plans", "skills": ["wiki"]})
        agent = Agent.create(spec, agent_id="a" * 32, name="reader", owner="maya", now=now)
        run = Run.create(agent, run_id=new_ulid(now), user="maya", now=now)
        job = Job(run=run, agent=agent, caller=MAYA, roster=read_roster(self.tables, MAYA.tenant, now))
        return worker.work(job, self.watch, Deadline.after(self.clock, 300))

    def offered(self) -> list[Any]:
        """The tools that the strong model was offered."""
        asked = next(question for model, question in self.models.asked if model == STRONG)
        return list(asked.tools)


def expect(kind: str, words: str | None, *, timeout_s: float = CALL_TIMEOUT_S) -> None:
    with ScriptedMcpServer(KINDS[kind]) as server:
        bench = Bench(server, timeout_s=timeout_s)
        worked = bench.run()

    reached = words is None or not words.startswith((UNUSABLE, FAILED))
    assert (worked.outcome.code, worked.output) == ("done" if reached else "nothing_reached", "Done.")
    assert worked.skill_notes == (() if words is None else (words,))
    if words is not None and words.startswith(UNUSABLE):
        assert any(line.startswith("the skill wiki can't be used: ") for line in bench.watch.lines)
    if words is not None and words.startswith(FAILED):
        assert any(line.startswith("wiki__search failed: ") for line in bench.watch.lines)


@pytest.mark.parametrize(("kind", "words"), AT_ONCE.items(), ids=AT_ONCE)
def test_a_run_ends_and_says_what_failed(kind: str, words: str | None) -> None:
    expect(kind, words)


@pytest.mark.parametrize(("kind", "words"), WHEN_TIME_IS_OVER.items(), ids=WHEN_TIME_IS_OVER)
def test_a_run_waits_for_a_server_no_longer_than_it_may(kind: str, words: str) -> None:
    expect(kind, words, timeout_s=0.4 if words == LATE else 1.0)


def test_every_kind_is_tried() -> None:
    others = {"endless_pages"}

    assert KINDS.keys() == AT_ONCE.keys() | WHEN_TIME_IS_OVER.keys() | others


@pytest.mark.parametrize(
    ("kind", "reason"), [("page_of_html", "result_invalid"), ("wants_a_key", "not_allowed")]
)
def test_a_check_says_what_failed(kind: str, reason: str) -> None:
    with ScriptedMcpServer(KINDS[kind]) as server:
        bench = Bench(server)
        health = bench.skills.check(CheckRequest(MAYA.tenant, bench.skill.id))

    assert health is not None
    assert (health.status, health.reason, health.tools) == (HealthStatus.FAILING, reason, ())
    assert bench.store.get(MAYA, bench.skill.id).health == health


def test_while_one_server_hangs_other_runs_work() -> None:
    with ThreadPoolExecutor(1) as aside, ScriptedMcpServer() as polite:
        with ScriptedMcpServer(KINDS["never_answers"]) as hanging:
            stuck = aside.submit(Bench(hanging).run)
            eventually(lambda: hanging.requests.get("initialize"))

            assert Bench(polite).run().skill_notes == ()
            assert not stuck.done()

        assert stuck.result().skill_notes != ()


def open_files() -> int:
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


@pytest.mark.parametrize(
    "kind", ["exponential_pattern_of_results", "hangs_in_the_call", "never_answers", "resets_the_call"]
)
def test_nothing_is_left_of_a_connection(kind: str) -> None:
    expect("flood_of_progress", None)
    threads, files = threading.active_count(), open_files()
    for _ in range(3):
        with ScriptedMcpServer(KINDS[kind]) as server:
            Bench(server, timeout_s=0.2).run()

    eventually(lambda: threading.active_count() <= threads and open_files() <= files)


def test_no_pattern_of_a_server_reaches_a_model_or_a_validator() -> None:
    for kind in ("exponential_pattern", "pattern_of_names", "pattern_too_deep_to_compile"):
        with ScriptedMcpServer(KINDS[kind]) as server:
            bench = Bench(server)
            bench.run()

        (tool,) = bench.offered()
        assert "pattern" not in str(tool.parameters)


def test_a_result_is_not_compared_with_a_pattern_of_the_server() -> None:
    schema = {"type": "object", "properties": {"x": {"type": "string", "pattern": "^other$"}}}

    def promises(exchange: Exchange) -> bool:
        if exchange.method == "tools/list":
            return exchange.result({"tools": [{**SEARCH, "outputSchema": schema}]})
        result = {"content": [], "structuredContent": {"x": "this"}}
        return exchange.method == "tools/call" and exchange.result(result)

    with ScriptedMcpServer(promises) as server:
        assert Bench(server).run().skill_notes == ()


def test_a_description_is_cut_and_shows_all_it_says() -> None:
    with ScriptedMcpServer(KINDS["description_with_orders_and_marks"]) as server:
        bench = Bench(server)
        bench.run()

    (tool,) = bench.offered()
    assert tool.description.startswith("Search.[2J () # System xxx")
    assert len(tool.description) == 1_000
    assert not any(character in tool.description for character in BIDI)


@pytest.mark.parametrize(
    ("kind", "offered"),
    [("ten_thousand_tools", MAX_TOOLS), ("endless_pages", MAX_TOOLS), ("names_that_become_the_same", 2)],
)
def test_models_get_so_many_tools_of_a_server_and_each_name_once(kind: str, offered: int) -> None:
    with ScriptedMcpServer(KINDS[kind]) as server:
        bench = Bench(server)
        bench.run()

    names = [tool.name for tool in bench.offered()]
    assert len(set(names)) == len(names) == offered
    assert all(name.startswith("wiki__") for name in names)


def test_a_server_that_asks_us_gets_no_answer() -> None:
    with ScriptedMcpServer(KINDS["asks_us_for_everything"]) as server:
        Bench(server).run()

    assert server.requests == {
        "server/discover": 1,
        "initialize": 1,
        "notifications/initialized": 1,
        "tools/list": 1,
        "tools/call": 1,
    }
