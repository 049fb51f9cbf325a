"""What is said of a task by its title: that it is done, whether it is, or that its day was wrong."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from tasks.task import Task, TaskSpec
from tests.fakes.data.chat_session import Talk
from tests.fakes.run.clocks import ManualClock

CALL = "call the landlord about the heating"


def talk_with(*titles: str) -> Talk:
    talk = Talk(clock=ManualClock(datetime(2026, 9, 14, 9, 20, tzinfo=UTC)))
    for title in titles:
        talk.tasks.create(talk.caller, TaskSpec(title=title))
    return talk


def tasks(talk: Talk) -> list[Task]:
    return list(talk.tasks.list(talk.caller, completed=None, limit=9)[0])


@pytest.mark.parametrize(
    "say",
    [
        f'"{CALL}" is done',
        f'"{CALL}" done!',
        f"{CALL} is done",
        f"“{CALL}” is finished, thanks",
        f"'{CALL}' has been done",
        f'"{CALL}" is sorted now',
        f"Ok, {CALL}: done",
    ],
)
def test_a_whole_title_that_is_said_to_be_done_is_ticked_off(say: str) -> None:
    talk = talk_with(CALL, "order pizza")
    talk.classify_and_answer(say)
    assert {one.title for one in tasks(talk) if one.completed} == {CALL}


@pytest.mark.parametrize(
    "say",
    [
        f'is "{CALL}" done?',
        f"is {CALL} done?",
        f"{CALL} when the report is done",
        f"{CALL} isn't done",
        f"{CALL} once that is finished",
    ],
)
def test_a_title_that_is_not_said_to_be_done_stays_open(say: str) -> None:
    talk = talk_with(CALL, "order pizza")
    talk.classify_and_answer(say)
    assert not any(one.completed for one in tasks(talk))


@pytest.mark.parametrize(
    ("say", "day"),
    [
        ("sorry, inner tubes by the 22nd, not the 20th", 22),
        ("no, inner tubes by the 23rd, not the 20th", 23),
        ("no, inner tubes Thursday, not Sunday", 17),
        ("oops, the inner tubes are for the 22nd", 22),
        ("Oh sorry!! Mr Patel needs them a day earlier. Can you change that to Saturday?", 19),
        ("wait, the shop closes on Sunday. make it Friday", 18),
    ],
)
def test_a_day_put_right_is_the_due_date_and_ticks_nothing_off(say: str, day: int) -> None:
    talk = talk_with()
    talk.classify_and_answer("remind me to order inner tubes by the 20th")
    talk.classify_and_answer(say)
    [task] = tasks(talk)
    assert (task.completed, task.due_date) == (False, date(2026, 9, day))


@pytest.mark.parametrize(
    ("say", "day"),
    [("call Jo -> wednesday at 9", 16), ("call Jo: friday 9am", 18), ("call Jo -> the 25th", 25)],
)
def test_a_time_behind_an_arrow_is_the_due_date_and_no_title(say: str, day: int) -> None:
    talk = talk_with("call Jo", "order pizza")
    talk.classify_and_answer(say)

    task = next(task for task in tasks(talk) if task.title == "call Jo")
    assert task.due_date == date(2026, 9, day)
