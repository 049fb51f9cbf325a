"""Changes that stand beside another deed, or beside the reason for them."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Schedule
from tests.fakes.data.chat_session import Talk


def _talk() -> Talk:
    talk = Talk()
    for name, cron, text in (
        ("tide-report", "0 9 1 * *", "The 1st of every month at 9:00 AM"),
        ("lock-log", "0 9 * * *", "Daily at 9:00 AM"),
    ):
        talk.create(name, "something", schedule=Schedule(cron=cron, time_zone="UTC", text=text))
    return talk


def _text(talk: Talk, name: str) -> str:
    schedule = next(agent for agent in talk.agents() if agent.name == name).schedule
    return "" if schedule is None else schedule.text


@pytest.mark.parametrize(
    "say",
    [
        "run tide-report now and move it to the 6th of the month",
        "run tide-report now, and from next time on the 6th of the month",
        "start tide-report now and then move it to the 6th please",
    ],
)
def test_a_change_behind_a_run_is_made_as_well(say: str) -> None:
    talk = _talk()
    reply = talk.classify_and_answer(say)

    assert "Started tide-report" in reply.text
    assert _text(talk, "tide-report") == "The 6th of every month at 9:00 AM"


def test_a_change_of_both_behind_a_run_of_two_is_made_to_them() -> None:
    talk = _talk()
    talk.create("crew", "shifts")
    talk.classify_and_answer("run tide-report and lock-log now and move both to 10")

    assert _text(talk, "tide-report") == "The 1st of every month at 10:00 AM"
    assert _text(talk, "lock-log") == "Daily at 10:00 AM"


def test_a_run_at_a_time_of_day_is_when_it_runs_from_now_on() -> None:
    talk = _talk()
    reply = talk.classify_and_answer("rename lock-log to locks and run it at 8")

    assert _text(talk, "locks") == "Daily at 8:00 AM"
    assert "Started" not in reply.text


@pytest.mark.parametrize(
    ("say", "schedule"),
    [
        ("9 is too late on lock-log, 7 please", "Daily at 7:00 AM"),
        ("lock-log at 10 in the morning, before the ferry leaves", "Daily at 10:00 AM"),
        ("lock-log an hour later please, the crew is at breakfast at 9", "Daily at 10:00 AM"),
        ("lock-log two hours later please, at 9 nobody is here", "Daily at 11:00 AM"),
        ("could you do lock-log 15 minutes earlier?", "Daily at 8:45 AM"),
        ("my boss would like lock-log an hour latter", "Daily at 10:00 AM"),
        ("lock-log to 8, no, half past 8", "Daily at 8:30 AM"),
    ],
)
def test_a_reason_beside_a_time_changes_nothing(say: str, schedule: str) -> None:
    talk = _talk()
    talk.classify_and_answer(say)

    assert _text(talk, "lock-log") == schedule


@pytest.mark.parametrize(
    "say",
    [
        "may I have lock-log on Thursdays as well?",
        "Love lock-log! Could we get it on Thursdays too, same hour?",
    ],
)
def test_asking_to_have_it_on_another_day_too_adds_the_day(say: str) -> None:
    talk = Talk()
    weekly = Schedule(cron="0 9 * * 1", time_zone="UTC", text="Mondays at 9:00 AM")
    talk.create("lock-log", "something", schedule=weekly)
    talk.classify_and_answer(say)

    assert _text(talk, "lock-log") == "Mondays and Thursdays at 9:00 AM"


def test_it_moves_with_its_reason_right_after_it_was_listed() -> None:
    talk = Talk()
    daily = Schedule(cron="0 9 * * *", time_zone="UTC", text="Daily at 9:00 AM")
    talk.create("lock-log", "something", schedule=daily)
    talk.classify_and_answer("which agents do I have?")
    talk.classify_and_answer("Move it to 10, standup is later now")

    assert _text(talk, "lock-log") == "Daily at 10:00 AM"
