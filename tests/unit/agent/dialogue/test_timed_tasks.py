"""What is said about tasks with a time, and what completing a repeating one does."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from agent.templates import reminder_texts, task_texts
from storage import keys
from tasks.task import Task, TaskSpec
from tests.fakes.data.chat_session import CONVERSATION, Talk
from tests.fakes.run.clocks import ManualClock
from tools.builtin.tasks import TaskLine

TODAY = date(2026, 1, 30)
local = datetime.fromisoformat


def with_task(**fields: object) -> tuple[Talk, Task]:
    talk = Talk()
    spec = TaskSpec.model_validate({"title": "call the bank", "time_zone": "UTC", **fields})
    return talk, talk.tasks.create(talk.caller, spec)


@pytest.mark.parametrize(
    ("due", "text"),
    [
        ("2026-01-30T15:00", "today at 3:00 PM"),
        ("2026-01-31T00:05", "tomorrow at 12:05 AM"),
        ("2026-02-06T12:00", "Friday, February 6 at 12:00 PM"),
        ("2027-02-06T09:30", "Saturday, February 6, 2027 at 9:30 AM"),
    ],
)
def test_a_time_is_told_as_people_tell_it(due: str, text: str) -> None:
    assert task_texts.time_text(local(due), TODAY) == text


def test_a_list_shows_times_in_brackets() -> None:
    talk, _ = with_task(due_at=local("2026-01-31T15:00"))
    talk.tasks.create(talk.caller, TaskSpec(title="pay rent", due_date=date(2026, 2, 1)))
    said = talk.classify_and_answer("what's on my list?")
    assert "call the bank (tomorrow at 3:00 PM)" in said.text
    assert "pay rent, due Sunday, February 1" in said.text


def test_a_new_task_with_a_time_promises_its_reminder_and_one_without_reminder_does_not() -> None:
    _, task = with_task(due_at=local("2026-01-31T15:00"))
    noted = 'I\'ve added the task "call the bank" (tomorrow at 3:00 PM).'
    assert task_texts.added([task], TODAY) == f"{noted} I'll remind you then."
    _, silent = with_task(due_at=local("2026-01-31T15:00"), remind=False)
    assert task_texts.added([silent], TODAY) == noted


def test_completing_a_repeating_task_says_when_it_is_due_again() -> None:
    talk, task = with_task(repeat="0 16 * * 5")
    assert "(today at 4:00 PM, repeating)" in talk.classify_and_answer("what's on my list?").text
    said = talk.classify_and_answer("mark call the bank as done")
    assert said.text.endswith("“call the bank” is due again Friday, February 6 at 4:00 PM.")
    assert talk.tasks.get(talk.caller, task.id).due_at == local("2026-02-06T16:00")


def test_another_day_is_told_with_the_time_that_stays() -> None:
    talk, task = with_task(due_at=local("2026-01-31T15:00"))
    said = talk.classify_and_answer("move call the bank to Monday")
    assert said.text == "“call the bank” is now due Monday, February 2 at 3:00 PM."
    assert talk.tasks.get(talk.caller, task.id).due_at == local("2026-02-02T15:00")


def test_a_task_keeps_the_conversation_in_which_it_was_asked_for() -> None:
    talk = Talk()
    talk.classify_and_answer("add a task to call the bank")
    [task], _ = talk.tasks.list(talk.caller)
    item = talk.tables.for_tenant(talk.caller.tenant).get(
        keys.task(talk.caller.tenant, talk.caller.user, task.id)
    )
    assert item is not None
    assert item["conversation_id"] == CONVERSATION


@pytest.mark.parametrize(
    "title", ["call the bank", "call the bank.", "really?", "all of it…", "pause all agents"]
)
def test_a_reminder_is_one_sentence_whatever_the_title_says(title: str) -> None:
    now = ManualClock().now()
    spec = TaskSpec(title=title, due_at=local("2026-01-31T15:00"), time_zone="Europe/Berlin")
    task = Task.create(spec, task_id="0" * 26, now=now)
    text = reminder_texts.reminder(task, now, is_late=False)
    assert text == f"Reminder: {title.rstrip('.')}" + ("" if title[-1] in "?…" else ".")
    late = reminder_texts.reminder(task, now, is_late=True)
    assert late == f"{text} It is late: it was to come on 30 January 2026, 10:00 AM (Europe/Berlin)."


def test_a_line_of_a_tools_list_is_told_like_a_task() -> None:
    _, task = with_task(due_at=local("2026-01-31T15:00"))
    line = TaskLine.of(task)
    listed = task_texts.listed([line], TODAY, status="all", more=False)
    assert listed == task_texts.listed([task], TODAY, status="all", more=False)


@pytest.mark.parametrize(
    ("message", "due"),
    [
        ('put "mark the grade 10 essays" on my to-do list for May 22', "Friday, May 22"),
        ('add "call at 5 sharp" to my list for Friday', "Friday, February 6"),
        ("remind me 'see the dentist at 3' tomorrow at noon", "tomorrow at 12:00 PM"),
    ],
)
def test_a_quoted_title_says_nothing_of_when_it_is_due(message: str, due: str) -> None:
    assert f"due {due}." in Talk().classify_and_answer(message).text


def test_what_a_day_is_for_is_no_change_of_the_task() -> None:
    talk, task = with_task(title="fire drill", due_date=date(2026, 2, 18))
    talk.classify_and_answer("sorry - fire drill on the 25th, not the 24th. The 24th is the board meeting")

    assert talk.tasks.get(talk.caller, task.id).due_date == date(2026, 2, 25)


def test_a_day_in_place_of_another_moves_a_task_whose_title_has_the_day() -> None:
    talk = Talk()
    talk.classify_and_answer("I have to phone the plumber tomorrow about the sinks, could you note that?")
    talk.classify_and_answer("Oops, not tomorrow, Thursday")

    [task] = talk.tasks.list(talk.caller, completed=None, limit=9)[0]
    assert task.due_date == date(2026, 2, 5)


def test_a_new_title_may_begin_with_the_old_one() -> None:
    talk, task = with_task()
    talk.classify_and_answer("what's on my list?")
    talk.classify_and_answer("rename it to: call the bank about the guarantee")

    assert talk.tasks.get(talk.caller, task.id).title == "call the bank about the guarantee"


@pytest.mark.parametrize(("said", "at"), [("make it 415", "16:15"), ("make it 0815", "08:15")])
def test_a_time_written_without_its_colon_is_one(said: str, at: str) -> None:
    talk = Talk()
    talk.classify_and_answer("remind me to call Ola tomorrow at 3")
    talk.classify_and_answer(said)

    [task] = talk.tasks.list(talk.caller, completed=None, limit=9)[0]
    assert task.due_at == local(f"2026-01-31T{at}")


def test_every_task_that_is_told_where_one_was_asked_for_is_added() -> None:
    talk = Talk()
    talk.classify_and_answer("I run a small bakery and I forget half my phone calls")
    talk.classify_and_answer("ring the mill tomorrow at 8, and the tax lady on thursday at 11")

    listed = {task.title: task.due_at for task in talk.tasks.list(talk.caller, completed=None, limit=9)[0]}
    assert listed == {"ring the mill": local("2026-01-31T08:00"), "the tax lady": local("2026-02-05T11:00")}


def test_another_deed_with_a_day_is_another_task_though_it_begins_as_a_correction() -> None:
    talk = Talk()
    talk.classify_and_answer("remind me to ring the mill tomorrow at 8")
    talk.classify_and_answer("oh and flour: order 25 kg by friday")

    listed = {task.title: task.due_at for task in talk.tasks.list(talk.caller, completed=None, limit=9)[0]}
    assert listed == {"ring the mill": local("2026-01-31T08:00"), "flour: order 25 kg": None}
