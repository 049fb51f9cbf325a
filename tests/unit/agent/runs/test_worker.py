"""What becomes of a run's work, by what its models and tools do."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from agent.inference.router import Router
from agent.inference.tool_loop import ToolLoop, ToolLoopLimits
from agent.inference.toolbox import AgentTools, Toolboxes
from agent.inference.turn_budget import RESERVATION_LIFETIME_S, TurnBudgets
from agent.runs.claims import RunResult
from agent.runs.prompt import OUTCOME_SENTENCES
from agent.runs.skill_tools import SkillTools
from agent.runs.worker import RUN_LIMITS, RUN_RESERVATION_LIFETIME_S, Job, RunWorker
from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import Agent, AgentSpec
from agent.workspace.roster import Roster
from agent.workspace.runs import MAX_OUTPUT_BYTES, Run, RunOutcome, Trigger
from agent.workspace.skill_store import SkillStore
from agent.workspace.skills import SkillCard, SkillKind
from conversation.clock import Deadline
from conversation.identity import Caller, new_ulid
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.store import TenantRecord
from conversation.usage.budgets import Budgets
from llm.errors import ModelBudgetExceeded, ModelTimeout, ModelUnavailable, TransientModelError
from llm.request_types import ModelResponse, ToolCall
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.models.scripted_models import FAST, STRONG, ScriptedModels, pool_of, response
from tests.fakes.run.clocks import ManualClock
from tools.builtin.calculator import calculator
from tools.outbound.client import OutboundClient
from tools.tool import Tool, ToolAccess, ToolContext

MAYA = Caller(TenantId("acme"), "maya")
NOW = datetime(2026, 1, 30, 9, 0, tzinfo=UTC)
ROUTED = response('{"model": "openai/deep-thinker", "tools": ["calculator"]}')
ADD = ToolCall("c1", "calculator", '{"expression": "1 + 1"}')


@dataclass
class Watched:
    """A watch that keeps what it is told, and says stop from a moment on."""

    lines: list[str] = field(default_factory=list)
    stop_after: int = 99

    def record_progress(self, line: str) -> None:
        self.lines.append(line)

    def is_stopped(self) -> bool:
        return len(self.lines) >= self.stop_after


class NoSecrets:
    def get(self, tenant: TenantId, name: str) -> str | None:
        return None


class Bench:
    """A worker over scripted models: the first answer is the router's."""

    def __init__(
        self, *answers: ModelResponse | ModelUnavailable, strong: tuple[str, ...] = (STRONG,)
    ) -> None:
        self.clock = ManualClock()
        self.models = ScriptedModels(self.clock, answers)
        self.watch = Watched()
        self.step_ids: list[str] = []
        tables = Tables(SqliteTable(":memory:"))
        agents = AgentStore(tables=tables, clock=self.clock)
        pool = pool_of(self.models, *strong)
        outbound = OutboundClient(allow_loopback=True)
        self.worker = RunWorker(
            router=Router(pool, fast_model=FAST),
            tool_loop=ToolLoop(pool),
            toolboxes=Toolboxes(
                [calculator(), Tool.of(self.where, access=ToolAccess())],
                AgentTools(agents=agents, runs=agents.runs).tools(),
            ),
            skills=SkillTools(
                store=SkillStore(tables=tables, clock=self.clock, outbound=outbound),
                secrets=NoSecrets(),
                outbound=outbound,
                clock=self.clock,
            ),
            turn_budgets=TurnBudgets(Budgets(tables=tables, clock=self.clock)),
            is_ready=lambda _seconds: True,
            clock=self.clock,
        )

    def where(self, context: ToolContext) -> str:
        """Say at which step it is called."""
        self.step_ids.append(f"{context.caller.user} {context.step_id}")
        return context.step_id

    def work(
        self,
        *,
        seconds: float = 300,
        policy: TenantPolicy | None = None,
        trigger: Trigger = Trigger.CHAT,
        served: tuple[str, ...] = (),
        **fields: Any,
    ) -> RunResult:
        spec = AgentSpec.model_validate({"name": "numbers", "what": "the number of the day", **fields})
        agent = Agent.create(spec, agent_id="a" * 32, name="numbers", owner="maya", now=NOW)
        run = Run.create(
            agent, run_id=new_ulid(NOW), user="maya", now=NOW, trigger=trigger, parameters={"period": "Q1"}
        )
        self.run = run
        record = TenantRecord(MAYA.tenant, policy or TenantPolicy(), name="Acme")
        skill = SkillCard(id="b" * 32, name="notes", owner="maya", kind=SkillKind.MCP, serves=served)
        roster = Roster(record, skills=(skill,) if served else ())
        job = Job(run=run, agent=agent, caller=MAYA, roster=roster)
        return self.worker.work(job, self.watch, Deadline.after(self.clock, seconds))

    @property
    def prompt(self) -> str:
        """What the strong model was told first."""
        [question, *_] = [question for model, question in self.models.asked if model == STRONG]
        return str(question.messages)


def test_a_schedule_asks_no_model_while_nothing_is_connected_that_holds_the_data() -> None:
    bench = Bench(ROUTED, response("Two."), ROUTED, response("Two."))
    sources = ("notion", "jira")

    idle = bench.work(sources=sources, trigger=Trigger.SCHEDULE)
    assert (idle.outcome.code, bench.models.asked) == ("not_connected", [])
    partly = bench.work(sources=sources, trigger=Trigger.SCHEDULE, served=("jira",))
    asked_for = bench.work(sources=sources)

    # Neither had a skill to call: their words are kept, and are no result.
    assert [worked.outcome.code for worked in (partly, asked_for)] == ["nothing_reached"] * 2
    assert [worked.output for worked in (partly, asked_for)] == ["Two."] * 2


def test_a_run_is_routed_worked_with_the_chosen_tools_and_counted() -> None:
    bench = Bench(ROUTED, response("", ADD), response("Two."))

    worked = bench.work(instructions="Add one and one.")

    assert (worked.outcome.code, worked.output) == ("done", "Two.")
    assert [(call.name, call.ok) for call in worked.tool_calls] == [("calculator", True)]
    assert worked.usage
    assert (worked.usage.model, worked.usage.model_calls) == (STRONG, 0)  # scripted models pay from no purse
    assert bench.watch.lines == [f"{STRONG} works on it", "used calculator"]
    offered = [
        {tool.name for tool in question.tools} for model, question in bench.models.asked if model == STRONG
    ]
    assert offered == [{"calculator"}, {"calculator"}]
    for part in ("Acme", "Add one and one.", "umber of the day", "period: Q1", "9:00 AM (UTC)"):
        assert part in bench.prompt


def test_a_run_is_given_the_whole_brief_in_quotes_as_its_owners_words() -> None:
    bench = Bench(ROUTED, response("Done."))
    brief = f"Tell me which numbers rose.\n{'Leave out nothing. ' * 30}Ignore <user now> weekends."
    bench.work(brief=brief)
    told = bench.prompt.replace("\\n", "\n")
    assert f'own words:\n"{brief.replace("<user now>", "(user now)")}"' in told
    assert told.count("which numbers rose") == 1
    assert "<owner of the agent>" in told.split("which numbers rose")[0]


def test_without_a_brief_nothing_is_said_of_one() -> None:
    bench = Bench(ROUTED, response("Done."))
    bench.work()
    assert "own words" not in bench.prompt


def test_an_agent_starts_no_agents() -> None:
    bench = Bench(
        response('{"model": "openai/deep-thinker", "tools": ["run_agent", "agent_status"]}'), response("No.")
    )

    bench.work()

    [(_, question)] = [asked for asked in bench.models.asked if asked[0] == STRONG]
    assert [tool.name for tool in question.tools] == ["agent_status"]


def test_tools_are_called_for_who_runs_it_at_steps_a_second_attempt_repeats() -> None:
    where = response('{"model": "openai/deep-thinker", "tools": ["where"]}')
    bench = Bench(
        where, response("", ToolCall("c", "where", "{}"), ToolCall("d", "where", "{}")), response("There.")
    )

    bench.work()

    assert bench.step_ids == [f"maya {bench.run.id}.0", f"maya {bench.run.id}.1"]


def test_without_a_strong_model_nobody_is_asked() -> None:
    bench = Bench(strong=())

    assert bench.work().outcome.code == "no_model"
    assert bench.models.asked == []


def test_models_a_tenant_does_not_allow_do_not_work_for_it() -> None:
    bench = Bench()

    assert bench.work(policy=TenantPolicy(allowed_models=("something-else",))).outcome.code == "no_model"


@pytest.mark.parametrize("fault", [TransientModelError("rate_limited"), TransientModelError("server_error")])
def test_after_a_passing_fault_the_work_is_begun_again(fault: ModelUnavailable) -> None:
    bench = Bench(ROUTED, fault, fault, response("Two."))

    assert bench.work().output == "Two."
    assert bench.clock.monotonic() >= 10


def test_a_fault_that_stays_ends_the_run_as_model_unavailable() -> None:
    fault = TransientModelError("unreachable")
    bench = Bench(ROUTED, fault, fault, fault)

    worked = bench.work()

    assert (worked.outcome.code, worked.output) == ("model_unavailable", "")
    assert "could not be reached" in worked.outcome.words


def test_work_that_used_tools_is_not_begun_again() -> None:
    bench = Bench(ROUTED, response("", ADD), ModelTimeout())

    assert bench.work().outcome.code == "model_unavailable"


def test_a_spent_budget_ends_the_run_and_says_so() -> None:
    bench = Bench(ModelBudgetExceeded(), ModelBudgetExceeded())

    worked = bench.work()

    assert worked.outcome.code == "budget_reached"
    assert "budget for models that your workspace set is spent" in worked.outcome.words


def test_a_run_that_was_cancelled_stops_before_its_next_step() -> None:
    bench = Bench(ROUTED, response("", ADD))
    bench.watch.stop_after = 2

    assert bench.work().outcome.code == "cancelled"


def test_a_run_has_no_more_time_than_it_is_given() -> None:
    assert Bench(ROUTED).work(seconds=0.1).outcome.code == "timed_out"


def test_a_model_that_never_comes_to_an_end_is_stopped() -> None:
    bench = Bench(ROUTED, *(response("", ADD) for _ in range(RUN_LIMITS.model_calls)))

    worked = bench.work()

    assert worked.outcome.code == "too_many_steps"
    assert len(worked.tool_calls) == RUN_LIMITS.model_calls - 1


def test_an_answer_of_nothing_is_no_result() -> None:
    assert Bench(ROUTED, response("  \n")).work().outcome.code == "no_result"


def test_of_a_very_long_result_as_much_is_kept_as_a_run_holds() -> None:
    worked = Bench(ROUTED, response("ü" * MAX_OUTPUT_BYTES)).work()

    assert worked.output == "ü" * (MAX_OUTPUT_BYTES // 2)


def test_a_skill_that_is_gone_is_told_and_the_run_goes_on() -> None:
    bench = Bench(ROUTED, response("Two."))

    assert bench.work(skills=["crm"]).output == "Two."
    assert bench.watch.lines[0] == "the skill crm can't be used: not_found"


def test_a_run_that_is_cancelled_amid_its_result_has_none() -> None:
    bench = Bench(ROUTED, response("The numbers are"))
    asked: list[None] = []

    def is_stopped() -> bool:
        asked.append(None)
        return len(asked) > 3

    bench.watch.is_stopped = is_stopped  # type: ignore[method-assign]
    worked = bench.work()

    assert (worked.outcome.code, worked.output) == ("cancelled", "")
    assert len(asked) == 4


def test_no_model_call_outlives_the_money_put_aside_for_it() -> None:
    assert RUN_LIMITS.call_timeout_s < RUN_RESERVATION_LIFETIME_S
    assert ToolLoopLimits().call_timeout_s < RESERVATION_LIFETIME_S


def test_every_outcome_a_run_can_have_is_described_and_none_besides() -> None:
    described = RunOutcome.model_fields["code"].description or ""
    assert set(re.findall(r"\w+", described)) - {"or"} == OUTCOME_SENTENCES.keys()
