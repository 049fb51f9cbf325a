"""Plain talk about the user's own tasks: what is understood, and what is left to others."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from conversation.messages.models import Note, Reference
from intent.dates.due_dates import find_due_date
from intent.decision import ActionType
from intent.offline import tasks
from intent.offline.offline_classifier import OfflineClassifier
from tests.fakes.data.situations import draft_note, listing_note, situation_after

TODAY = date(2026, 3, 3)
"""A Tuesday, as in the situations."""

TITLES = ("buy groceries", "call the dentist", "Prepare Q1 report", "pay rent")
TASKS = Note(
    listed=tuple(Reference(kind="task", id=f"T{n}", name=title) for n, title in enumerate(TITLES, 1))
)
MILK = Note(did="added a task", about=Reference(kind="task", id="T9", name="buy milk"))


def read(message: str, note: Note | None = None) -> dict[str, Any] | None:
    verdict = tasks.task_verdict(situation_after(note, message))
    return None if verdict is None else dict(verdict.entities)


@pytest.mark.parametrize(
    ("message", "title", "due"),
    [
        ("Add a task to buy groceries", "buy groceries", None),
        ("add a task to buy groceries by friday", "buy groceries", "2026-03-06"),
        ("please create a new task: Call Bob tomorrow, thanks", "Call Bob", "2026-03-04"),
        ("Can you add a reminder to call mom?", "call mom", None),
        ("todo: write tests", "write tests", None),
        ("add milk to my to-do list", "milk", None),
        ('put "send invoices" on my list for monday', "send invoices", "2026-03-09"),
        ("add a task for tomorrow: call Bob", "call Bob", "2026-03-04"),
        ("create a task to pay the rent on the 1st", "pay the rent", "2026-04-01"),
        ("new task called 'Taxes'", "Taxes", None),
        ("add a task to read about Friday prayers", "read about Friday prayers", None),
        ("remind me to call the vet tomorrow at 3pm", "call the vet at 3pm", "2026-03-04"),
        ("please remind me on Friday to pay rent", "pay rent", "2026-03-06"),
        ("Don't let me forget to water the plants!", "water the plants", None),
        ("add a task to call mom on Friday at 18:30 please", "call mom at 18:30", "2026-03-06"),
    ],
)
def test_a_task_is_added_with_its_title_and_day(message: str, title: str, due: str | None) -> None:
    wanted = {"operation": tasks.ADD, tasks.TASK: title}
    assert read(message) == (wanted if due is None else {**wanted, tasks.DUE_DATE: due})


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ("what's on my list", "open"),
        ("Show my tasks, please", "open"),
        ("list all my to-dos", "all"),
        ("list my completed tasks", "done"),
        ("which tasks are overdue?", "open"),
        ("do I have any open tasks?", "open"),
        ("what do I have to do today?", "open"),
        ("My todos", "open"),
    ],
)
def test_the_list_is_asked_for(message: str, status: str) -> None:
    assert read(message) == {"operation": tasks.LIST, tasks.STATUS: status}


@pytest.mark.parametrize(
    ("message", "operation", "ids"),
    [
        ("mark the second one done", tasks.COMPLETE, ["T2"]),
        ("the first one is done", tasks.COMPLETE, ["T1"]),
        ("1 and 3 are done", tasks.COMPLETE, ["T1", "T3"]),
        ("complete #3", tasks.COMPLETE, ["T3"]),
        ("check off the rent", tasks.COMPLETE, ["T4"]),
        ("I finished the report", tasks.COMPLETE, ["T3"]),
        ("done with the groceries", tasks.COMPLETE, ["T1"]),
        ("mark everything done", tasks.COMPLETE, ["T1", "T2", "T3", "T4"]),
        ("reopen the last one", tasks.REOPEN, ["T4"]),
        ("the second one isn't done yet", tasks.REOPEN, ["T2"]),
        ("mark 2 as not done", tasks.REOPEN, ["T2"]),
        ("delete the dentist one", tasks.DELETE, ["T2"]),
        ("take the dentist off my list", tasks.DELETE, ["T2"]),
        ("cancel task four", tasks.DELETE, ["T4"]),
    ],
)
def test_tasks_just_listed_are_named_by_place_or_word(message: str, operation: str, ids: list[str]) -> None:
    said = read(message, TASKS)
    assert said is not None
    assert (said["operation"], said[tasks.TASK_IDS]) == (operation, ids)


@pytest.mark.parametrize(
    ("message", "key", "value"),
    [
        ("move the second one to Friday", tasks.DUE_DATE, "2026-03-06"),
        ("the dentist one is due next monday", tasks.DUE_DATE, "2026-03-09"),
        ("set the due date of the dentist one to march 20", tasks.DUE_DATE, "2026-03-20"),
        ("remove the due date of the dentist one", tasks.DUE_DATE, None),
        ("rename the second one to call Dr. Smith", "new_name", "call Dr. Smith"),
    ],
)
def test_a_task_gets_another_day_or_title(message: str, key: str, value: str | None) -> None:
    said = read(message, TASKS)
    assert said is not None
    assert (said["operation"], said[tasks.TASK_IDS], said[key]) == (tasks.CHANGE, ["T2"], value)


@pytest.mark.parametrize(
    "message", ["mark it as done", "delete it", "it's due tomorrow", "rename it to buy bread"]
)
def test_it_is_the_task_just_talked_about(message: str) -> None:
    said = read(message, MILK)
    assert said is not None
    assert said[tasks.TASK_IDS] == ["T9"]


@pytest.mark.parametrize(
    "message",
    [
        "add a task to the weekly report agent",
        "add a task to notion-reporter: check the budget",
        "add a task to my Jira board",
        "add a task to Jira",
        "create a task in Asana for each new lead",
        "create a task to check Jira every morning at 9",
        "whenever a lead comes in create a task to call them",
        "remove the second step",
        "mark the invoices as paid",
        "delete the second one",
        "what tasks can you automate?",
        "list my agents",
        "finish the report",
        "is it done?",
        "the report is due Friday",
        "remind me every Monday to send the report",
        "remind me what to buy",
    ],
)
@pytest.mark.parametrize("note", [None, listing_note()], ids=["at first", "agents listed"])
def test_what_may_be_about_something_else_is_left_alone(message: str, note: Note | None) -> None:
    assert read(message, note) is None


@pytest.mark.parametrize("message", ["delete notion-reporter", "run the second one", "pause it"])
def test_agents_are_not_mistaken_for_tasks_just_listed(message: str) -> None:
    assert read(message, TASKS) is None


def test_while_an_agent_is_set_up_only_what_names_tasks_is_about_tasks() -> None:
    assert read("add a task to follow up", draft_note("what")) is None
    assert read("add a task to follow up", draft_note("schedule, details")) is None
    assert read("add a task to follow up", draft_note("schedule, delivery")) is not None
    assert read("what's on my list", draft_note("what")) is not None


@pytest.mark.parametrize("message", ["remind me to water the plants", "put stamps on my list"])
def test_what_one_keeps_for_oneself_is_a_task_whatever_the_wizard_asked(message: str) -> None:
    said = read(message, draft_note("source, what"))
    assert said is not None
    assert said["operation"] == tasks.ADD
    assert read("remind me to water the plants every Friday", draft_note("source, what")) is None


def test_the_offline_tier_decides_so() -> None:
    decision = OfflineClassifier().classify(situation_after(None, "add a task to buy groceries"))
    assert decision.action_type is ActionType.EXECUTE_TASK
    assert decision.confidence > 0.9
    assert (
        OfflineClassifier().classify(situation_after(None, "my tasks")).action_type is ActionType.QUERY_INFO
    )


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("today", "2026-03-03"),
        ("tomorrow morning", "2026-03-04"),
        ("by Friday", "2026-03-06"),
        ("by Tuesday", "2026-03-10"),
        ("next Friday", "2026-03-13"),
        ("in 3 days", "2026-03-06"),
        ("in two weeks", "2026-03-17"),
        ("by the end of the month", "2026-03-31"),
        ("by the end of next month", "2026-04-30"),
        ("next week", "2026-03-09"),
        ("by 2026-03-20", "2026-03-20"),
        ("on March 5", "2026-03-05"),
        ("due 6th of April 2027", "2027-04-06"),
        ("by Feb 1", "2027-02-01"),
        ("on the 1st", "2026-04-01"),
        ("on the 31st", "2026-03-31"),
        ("by May 40", None),
        ("by 2026-02-30", None),
        ("in 99999 weeks", None),
        ("the monday report", None),
        ("chapter 3", None),
        ("the 2nd floor", None),
    ],
)
def test_a_day_is_counted_from_the_speakers_today(text: str, day: str | None) -> None:
    due = find_due_date(text, TODAY)
    assert (None if due is None else due.day.isoformat()) == day


@pytest.mark.parametrize("today", [date(2026, 12, 31), date(2028, 2, 29), date(2026, 1, 31)])
def test_ends_of_months_and_years_are_days_too(today: date) -> None:
    for text in (
        "next month",
        "by the end of next month",
        "by the end of the year",
        "on the 30th",
        "by Feb 29",
    ):
        due = find_due_date(text, today)
        assert due is None or due.day >= today
