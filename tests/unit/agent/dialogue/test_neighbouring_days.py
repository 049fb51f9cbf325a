"""Things that move to the day beside theirs, and questions for the weekday of a date."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Schedule
from tests.fakes.data.chat_session import Talk


def due(talk: Talk) -> str:
    [task] = talk.tasks.list(talk.caller, limit=9)[0]
    assert task.due_date is not None
    return task.due_date.isoformat()


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("Oh no, half the office is gone on Fridays. Make it the day before then.", "2026-02-05"),
        ("the day before please", "2026-02-05"),
        ("a day earlier please", "2026-02-05"),
        ("the day before would be better", "2026-02-05"),
        ("I'm away on Fridays. can we make that a day earlier?", "2026-02-05"),
        ("move it to the day after", "2026-02-07"),
        ("she never works Fridays, make it the day after", "2026-02-07"),
        ("make it the following day", "2026-02-07"),
        ("two days later", "2026-02-08"),
        ("move it to the week after", "2026-02-13"),
        ("make it Thursday", "2026-02-05"),
    ],
)
def test_a_task_moves_to_the_day_beside_its_own(message: str, day: str) -> None:
    talk = Talk()
    talk.classify_and_answer("remind me to mail Ann on Friday, February 6")
    talk.classify_and_answer(message)
    assert due(talk) == day


@pytest.mark.parametrize(
    "message",
    [
        "nobody is in on Fridays. Make it the day before then.",
        "make it the day before",
        "a day earlier please",
    ],
)
def test_an_agent_moves_to_the_day_before_its_own(message: str) -> None:
    talk = Talk()
    talk.create("rota", "shifts", schedule=Schedule(cron="0 6 * * 5", time_zone="UTC", text="as now"))
    talk.classify_and_answer("show rota")
    talk.classify_and_answer(message)
    [rota] = talk.agents()
    assert rota.schedule is not None
    assert rota.schedule.cron == "0 6 * * 4"


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("what weekday is the 5th of April?", "Sunday, April 5"),
        ("what weekday is that, the 20th?", "Friday, February 20"),
        ("which weekday is 20 March?", "Friday, March 20"),
        ("what day was the 1st of January?", "Thursday, January 1, 29 days ago"),
        ("on what day does christmas fall?", "Friday, December 25"),
        ("is the 20th a friday?", "Friday, February 20"),
        ("how many days until christmas?", "329 days"),
        ("what weekday is tomorrow?", "Saturday, January 31"),
        ("what day is it today?", "Today is Friday, January 30"),
        ("what day is it in Tokyo?", "In Tokyo"),
    ],
)
def test_a_question_for_the_weekday_of_a_date_gets_that_date(question: str, part: str) -> None:
    assert part in Talk().classify_and_answer(question).text


def test_a_question_for_what_is_due_on_a_date_is_about_the_list() -> None:
    talk = Talk()
    talk.classify_and_answer("remind me to call the dentist on the 20th")
    assert "call the dentist" in talk.classify_and_answer("what's due on the 20th?").text
    assert "“call the dentist” is due Friday" in talk.classify_and_answer("what day is the dentist?").text
