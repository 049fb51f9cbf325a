"""Questions about what stands on the list, and about what was asked for: the workspace is the record."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from tasks.task import TaskChange, TaskSpec
from tests.fakes.data.chat_session import Talk

_A_DAY_S = timedelta(days=1).total_seconds()


def _talk(**dues: int) -> Talk:
    """Return a talk with tasks, each due so many days from now; 0: never."""
    talk = Talk()
    for title, days in dues.items():
        due = talk.clock.now().date() + timedelta(days=days) if days else None
        talk.tasks.create(talk.caller, TaskSpec(title=title.replace("_", " "), due_date=due))
    return talk


def _said(day: date) -> str:
    return f"{day:%A}, {day:%B} {day.day}"


@pytest.mark.parametrize(
    "question",
    [
        "When is the chimney sweep again?",
        "what day is the sweep due",
        "what was that thing about the chimney?",
        "and by when does the chimney have to be done?",
        "Did I put the chimney sweep on my list already?",
    ],
)
def test_a_question_that_names_a_task_says_when_it_is_due(question: str) -> None:
    talk = _talk(chimney_sweep_for_the_cottage=9, order_oil=20, write_to_the_council=0)
    said = talk.classify_and_answer(question).text
    assert "chimney sweep for the cottage" in said
    assert _said(talk.clock.now().date() + timedelta(days=9)) in said
    assert "oil" not in said


def test_what_is_not_on_the_list_is_said_to_be_missing() -> None:
    talk = _talk(order_oil=20)
    said = talk.classify_and_answer("have I already put the boiler on my list?").text
    assert said == "No, nothing on your list is about “boiler”."


def test_a_question_behind_it_is_about_the_task_that_was_told() -> None:
    talk = _talk(order_oil=20)
    talk.classify_and_answer("remind me tomorrow at 10 to ring the surveyor")
    said = talk.classify_and_answer("and for what time was that?").text
    assert said == "“ring the surveyor” is due tomorrow at 10:00 AM."


@pytest.mark.parametrize(
    "question",
    [
        "what did I ask you to remind me of?",
        "Morning! What did I ask you to remind me about again?",
        "what have I asked you for so far?",
        "which things did I give you yesterday?",
        "what's left of the things I gave you yesterday?",
    ],
)
def test_what_was_asked_for_is_listed_a_day_later(question: str) -> None:
    talk = Talk()
    talk.classify_and_answer("remind me on Thursday to call the roofer")
    talk.classify_and_answer("and on Friday to send the deposit back")
    talk.clock.advance(_A_DAY_S)
    talk.history.clear()
    said = talk.classify_and_answer(question).text
    assert "call the roofer" in said
    assert "send the deposit back" in said


def test_what_is_left_of_it_leaves_out_what_is_done() -> None:
    talk = _talk(renew_the_licence=0, order_glasses=0, ring_the_brewery=0)
    [done] = [one for one in talk.tasks.list(talk.caller, limit=9)[0] if "brewery" in one.title]
    talk.tasks.update(talk.caller, done.id, TaskChange(completed=True))
    talk.clock.advance(_A_DAY_S)
    said = talk.classify_and_answer("what's left of the things I gave you yesterday?").text
    assert "renew the licence" in said
    assert "order glasses" in said
    assert "brewery" not in said


def test_those_with_a_date_are_told_apart() -> None:
    talk = Talk()
    talk.classify_and_answer(
        "put call the scaffolders on my list, and remind me on Friday about the skip hire"
    )
    talk.classify_and_answer("what did I ask you for?")
    said = talk.classify_and_answer("which of them has a date?").text
    assert "skip hire" in said
    assert "scaffolders" not in said


def test_the_same_week_is_that_of_the_task_talked_of() -> None:
    talk = Talk()
    monday = talk.clock.now().date() + timedelta(days=21 - talk.clock.now().weekday())
    for title, days in (("renew the insurance", 1), ("fire inspection", 3), ("order grit", 14)):
        spec = TaskSpec(title=title, due_date=monday + timedelta(days=days))
        talk.tasks.create(talk.caller, spec)
    talk.classify_and_answer("When is the fire inspection?")
    said = talk.classify_and_answer("What else have I got that week?").text
    assert "renew the insurance" in said
    assert "fire inspection" not in said
    assert "grit" not in said


@pytest.mark.parametrize(
    ("question", "answer"),
    [("what time is it?", "It is"), ("what is the date today?", "Today is"), ("what day is it", "Today is")],
)
def test_the_clock_is_still_told(question: str, answer: str) -> None:
    talk = _talk(order_oil=20)
    talk.classify_and_answer("when is the oil due?")
    assert talk.classify_and_answer(question).text.startswith(answer)


def test_a_fact_that_was_told_is_still_quoted() -> None:
    talk = _talk(pay_the_plumber=3)
    talk.classify_and_answer("The plumber's number is 0161 555 019, keep that in mind")
    said = talk.classify_and_answer("what was the plumber's number again?").text
    assert "0161 555 019" in said


def test_a_day_named_by_its_number_alone_stays_in_the_month_of_the_task() -> None:
    talk = Talk()
    month = (talk.clock.now().date().replace(day=1) + timedelta(days=70)).replace(day=1)
    talk.classify_and_answer(f"remind me of the van's MOT on the 19th of {month:%B}")
    talk.classify_and_answer("Hm, that's rather late. Better make it the 12th")
    [task] = talk.tasks.list(talk.caller, limit=9)[0]
    assert task.due_date == month.replace(day=12)


@pytest.mark.parametrize(
    "question",
    [
        "whats the due date on it now",
        "what's its deadline now?",
        "and when is it due now?",
        "which date does it have now?",
        "so by when does it have to be in now?",
        "what is the due date of that one today?",
    ],
)
def test_when_it_is_due_now_is_no_question_for_the_clock(question: str) -> None:
    talk = _talk(submit_lunch_count=0)
    talk.classify_and_answer("the lunch count has to be in by friday")
    [task] = talk.tasks.list(talk.caller, limit=9)[0]
    assert task.due_date is not None
    assert talk.classify_and_answer(question).text == (f"“submit lunch count” is due {_said(task.due_date)}.")
