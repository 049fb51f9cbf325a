"""What changed is compared with what should have changed."""

from __future__ import annotations

from tests.evals.dialogues.state import State
from tests.evals.probes.commands import (
    agent_changed,
    agent_gone,
    agent_new,
    agent_set,
    policy_set,
    run_new,
    task_done,
    task_new,
)
from tests.evals.probes.effects import Effect, difference, not_restored
from tests.fakes.data.dialogue_script import AGENT, ONE, OTHER, TASK, TWO

PAUSED = State(agents=({**AGENT, "status": "paused"},))


def lines(before: State, after: State, *effects: Effect) -> list[str]:
    return difference(before, after, effects).lines()


def test_a_state_with_all_effects_and_no_other_is_no_different() -> None:
    later = State(agents=({**AGENT, "version": 2, "status": "paused"},), tasks=(TASK,))

    assert not lines(
        ONE, later, agent_set("cash-report", status="paused"), task_new("call the bank", "2026-03-06")
    )


def test_what_did_not_happen_is_named() -> None:
    assert lines(ONE, ONE, agent_gone("cash-report")) == [
        "not done: agent gone cash-report (nothing happened)"
    ]


def test_what_happened_to_something_else_is_named() -> None:
    after = State(agents=(AGENT, {**OTHER, "shared": True}))

    assert lines(TWO, after) == ["not asked for: agent changed: ar-report: shared false → true"]


def test_a_further_field_of_the_same_thing_is_not_accepted() -> None:
    after = State(agents=({**AGENT, "status": "paused", "instructions": ""},))

    found = lines(ONE, after, agent_set("cash-report", status="paused"))

    assert found[0] == "not done: agent changed cash-report (also changed instructions)"


def test_a_new_schedule_is_compared_by_when_it_fires() -> None:
    after = State(agents=({**AGENT, "schedule": {"cron": "0 9 * * 1,2,3"}},))

    assert not lines(ONE, after, agent_changed("cash-report", "schedule", cron="0 9 * * MON-WED"))
    assert lines(ONE, after, agent_changed("cash-report", "schedule", cron="0 9 * * 1"))


def test_a_new_agent_has_the_name_it_was_given() -> None:
    assert not lines(ONE, TWO, agent_new("ar-report"))
    assert lines(ONE, TWO, agent_new("ar"))


def test_a_task_ticked_off_may_say_when() -> None:
    before = State(tasks=({**TASK, "completed_at": None},))
    after = State(tasks=({**TASK, "completed": True, "completed_at": "2026-03-03"},))

    assert not lines(before, after, task_done("call the bank"))


def test_a_run_is_wanted_once() -> None:
    one = {"id": "1", "agent_name": "cash-report", "status": "queued"}

    assert lines(ONE, ONE, run_new("cash-report"))
    assert not lines(ONE, State(agents=ONE.agents, runs=(one,)), run_new("cash-report"))
    twice = State(agents=ONE.agents, runs=(one, {**one, "id": "2"}))
    assert lines(ONE, twice, run_new("cash-report")) == ["not asked for: run new: cash-report"]


def test_settings_change_only_where_that_is_wanted() -> None:
    before, after = State(policy={"retention_days": 30}), State(policy={"retention_days": 60})

    assert not lines(before, after, policy_set(retention_days=60))
    assert lines(before, after) == ["not asked for: policy changed: retention_days 30 → 60"]


def test_everything_but_version_and_time_of_change_is_restored() -> None:
    later = State(agents=({**AGENT, "version": 3, "updated_at": "2026-03-03"},))

    assert not_restored(ONE, later) == []
    assert not_restored(ONE, PAUSED) == ["agent cash-report: status was active, is paused"]
    assert not_restored(TWO, ONE) == ["agent is missing: ar-report"]
    assert not_restored(ONE, TWO) == ["agent is left: ar-report"]
