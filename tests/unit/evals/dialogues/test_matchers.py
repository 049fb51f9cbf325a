"""A state and a reply are judged by what is expected of them."""

from __future__ import annotations

import pytest

from tests.evals.dialogues.cron import cron_key
from tests.evals.dialogues.format import Json
from tests.evals.dialogues.matchers import (
    agent_misses,
    run_misses,
    task_misses,
    unmet_of_reply,
    unmet_of_state,
)
from tests.evals.dialogues.reply import Reply
from tests.evals.dialogues.state import State
from tests.fakes.data.dialogue_script import AGENT, ONE, TASK, TWO

RUN: Json = {
    "agent_name": "cash-report",
    "status": "failed",
    "trigger": "chat",
    "output": "",
    "parameters": {"period": "last month"},
}


def test_an_agent_fits_by_every_key() -> None:
    good = {
        "name": "CASH",
        "source": "QuickBooks",
        "cron": ["5 5 * * *", "00 09 * * MON,TUE,WED,THU,FRI"],
        "channel": "email",
        "recipient": "#finance",
        "status": "active",
        "shared": False,
        "text": ["(?i)cash position", "holidays"],
        "time_zone": "America/New_York",
    }

    assert agent_misses(AGENT, good) == []


def test_each_key_of_an_agent_can_fail() -> None:
    bad = {
        "name": "ar",
        "source": "xero",
        "cron": ["0 9 * * 1-6"],
        "channel": "sms",
        "recipient": "#ops",
        "status": "paused",
        "shared": True,
        "text": "receivable",
        "time_zone": ["UTC"],
        "text_lacks": "holidays",
    }

    assert set(agent_misses(AGENT, bad)) == set(bad)


@pytest.mark.parametrize("cron", ["0 9 * * 7", "0 9 ? * SUN", "00 9 * * 0"])
def test_crons_that_fire_together_are_the_same(cron: str) -> None:
    assert cron_key(cron) == cron_key("0 9 * * 0") != cron_key("0 9 * * 1")


def test_steps_are_the_minutes_they_mean_and_junk_is_only_itself() -> None:
    assert cron_key("*/15 * * * *") == cron_key("0,15,30,45 * * * *")
    assert cron_key("junk") != cron_key("0 9 * * 1")


def test_a_schedule_may_be_expected_at_any_hour_or_not_at_all() -> None:
    assert agent_misses(AGENT, {"cron": "0 ~ * * 1-5"}) == []
    assert agent_misses(AGENT, {"cron": "~ ~ * * 1"}) == ["cron"]
    assert agent_misses({**AGENT, "schedule": None}, {"cron": [None]}) == []
    assert agent_misses(AGENT, {"cron": None}) == ["cron"]


@pytest.mark.parametrize(
    "matcher",
    [
        {"text": "bank", "due": "2026-03-06", "completed": False},
        {"due": "2026-03-06T16:00"},
        {"due": ["2026-03-05", "2026-03-06"]},
    ],
)
def test_a_task_fits(matcher: Json) -> None:
    assert task_misses(TASK, matcher) == []


def test_each_key_of_a_task_can_fail() -> None:
    bad = {"text": "gym", "due": "2026-03-07", "completed": True, "text_lacks": "bank"}

    assert task_misses(TASK, bad) == list(bad)
    assert task_misses(TASK, {"due": None}) == ["due"]
    assert task_misses({**TASK, "due_date": None}, {"due": None}) == []


def test_a_run_fits_or_fails_by_each_key() -> None:
    bad = {"agent": "ar", "status": "queued", "trigger": "rest", "text": "x", "text_lacks": "last"}

    assert run_misses(RUN, {"agent": "cash", "status": ["failed", "queued"], "text": "last month"}) == []
    assert run_misses(RUN, bad) == list(bad)


def test_each_matcher_needs_an_item_of_its_own_however_they_are_assigned() -> None:
    matchers = [{"source": "quickbooks"}, {"name": "cash"}]

    assert unmet_of_state({"agents": matchers, "agents_exactly": 2}, TWO) == []
    assert len(unmet_of_state({"agents": matchers}, ONE)) == 1


def test_numbers_policies_and_what_must_not_be_there_are_judged() -> None:
    wrong = {"agents_exactly": 0, "tasks_exactly": 1, "policy": {"retention_days": 90}}

    assert len(unmet_of_state(wrong, ONE)) == 3
    assert unmet_of_state({"policy": {"limits.burst": 3}}, State(policy={"limits": {"burst": 3}})) == []
    assert unmet_of_state({"agents_none": [{"source": "xero"}]}, ONE) == []
    assert unmet_of_state({"agents_none": [{"name": "cash"}]}, ONE)


def test_open_tasks_are_counted_by_themselves() -> None:
    state = State(tasks=(TASK, {**TASK, "id": "u", "completed": True}))

    assert unmet_of_state({"tasks_exactly": 2, "tasks_open_exactly": 1}, state) == []


def test_a_reply_is_judged_by_what_it_has_and_lacks() -> None:
    reply = Reply("Your cash report runs on Mondays.")
    good = {"reply_has": ["(?i)CASH", "Monday"], "reply_any": ["x", "report"], "reply_lacks": "Friday"}
    bad = {"reply_has": ["bank", "Monday"], "reply_any": ["x", "zz"], "reply_lacks": ["z", "report"]}

    assert unmet_of_reply(good, reply) == []
    assert len(unmet_of_reply(bad, reply)) == 3
    assert unmet_of_reply({"reply_lacks": "x"}, Reply("", error="500")) == ["error: 500"]
