"""Days of the week on which an agent isn't wanted, however it is said."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Schedule
from tests.fakes.data.chat_session import Talk


def _talk() -> Talk:
    talk = Talk()
    daily = Schedule(cron="0 7 * * *", time_zone="UTC", text="Daily at 7:00 AM")
    talk.create("oven-plan", "loaves to bake", schedule=daily)
    talk.create("till-check", "cash differences", schedule=daily)
    return talk


def _text(talk: Talk, name: str = "oven-plan") -> str:
    schedule = next(agent for agent in talk.agents() if agent.name == name).schedule
    return "" if schedule is None else schedule.text


@pytest.mark.parametrize(
    ("say", "schedule"),
    [
        ("oven-plan needn't come on Mondays, we're shut", "Every day except Monday"),
        ("we're closed on Mondays now so oven-plan needn't run then", "Every day except Monday"),
        ("I'm off on Thursdays, please don't send oven-plan on those days", "Every day except Thursday"),
        ("nobody's in on Sundays, so oven-plan can skip those", "Mondays to Saturdays"),
        ("no oven-plan at weekends, please", "Weekdays"),
        ("spare me oven-plan at the weekend", "Weekdays"),
        ("on Sundays we don't need oven-plan", "Mondays to Saturdays"),
        ("oven-plan isn't needed on Saturdays and Sundays", "Weekdays"),
        ("don't bother me with oven-plan at weekends", "Weekdays"),
    ],
)
def test_the_days_that_are_refused_are_left_out(say: str, schedule: str) -> None:
    talk = _talk()
    talk.classify_and_answer(say)

    assert _text(talk) == f"{schedule} at 7:00 AM"
    assert _text(talk, "till-check") == "Daily at 7:00 AM"
    assert not talk.tasks.list(talk.caller, completed=False, limit=5)[0]


@pytest.mark.parametrize(
    "say",
    [
        "why doesn't oven-plan run on Mondays?",
        "does oven-plan not run on Sundays?",
        "I don't work on Mondays",
        "we never have meetings on Fridays",
    ],
)
def test_what_only_asks_or_tells_of_days_changes_nothing(say: str) -> None:
    talk = _talk()
    talk.classify_and_answer(say)

    assert _text(talk) == "Daily at 7:00 AM"


def test_days_that_are_wanted_instead_are_not_left_out() -> None:
    talk = _talk()
    talk.classify_and_answer("I don't need oven-plan daily, just on Fridays")

    assert _text(talk) == "Fridays at 7:00 AM"


@pytest.mark.parametrize(
    "say",
    [
        "I don't need oven-plan on a schedule any more, I'll start it myself",
        "take oven-plan off its schedule",
        "oven-plan doesn't have to run by itself any more",
        "from now on I'll start oven-plan by hand",
        "oven-plan can lose its timetable",
    ],
)
def test_an_agent_that_is_to_have_no_schedule_is_kept_without_one(say: str) -> None:
    talk = _talk()
    talk.classify_and_answer(say)

    assert not _text(talk)
    assert len(talk.agents()) == 2


def _class_list() -> Talk:
    talk = Talk()
    schedule = Schedule(cron="0 9 * * 1,3,5", time_zone="UTC", text="Mondays, Wednesdays and Fridays")
    talk.create("class-list", "who is booked in today", schedule=schedule)
    talk.create("friday-report", "the week's figures")
    return talk


@pytest.mark.parametrize(
    "say",
    [
        "There are no more Wednesday lessons so class-list can drop that day",
        "There are no more Wednesday lessons so class-list can skip that day",
        "we stopped the Wednesday class, class-list may leave that day out",
        "delete the Wednesday from class-list",
        "take Wednesday out of class-list",
        "Wednesdays can go from class-list",
        "scrap the Wednesday for class-list",
        "remove Wednesday from class-list's schedule",
    ],
)
def test_a_day_that_is_dropped_is_left_out_and_the_agent_stays(say: str) -> None:
    talk = _class_list()
    talk.classify_and_answer(say)
    talk.classify_and_answer("yes")
    [schedule] = [one.schedule for one in talk.agents() if one.name == "class-list"]
    assert schedule is not None
    assert schedule.cron == "0 9 * * 1,5"


@pytest.mark.parametrize(
    ("say", "kept"),
    [
        ("There are no more Wednesday lessons so class-list can go", ["friday-report"]),
        ("you can drop class-list", ["friday-report"]),
        ("drop the friday report", ["class-list"]),
        ("remind me to drop the Wednesday class", ["class-list", "friday-report"]),
        ("why did class-list skip Wednesday?", ["class-list", "friday-report"]),
    ],
)
def test_what_drops_no_day_changes_no_schedule(say: str, kept: list[str]) -> None:
    talk = _class_list()
    talk.classify_and_answer(say)
    talk.classify_and_answer("yes")
    assert [one.name for one in talk.agents()] == kept
    assert all(one.schedule is None or one.schedule.cron == "0 9 * * 1,3,5" for one in talk.agents())
