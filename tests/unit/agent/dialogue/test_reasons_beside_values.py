"""Corrections that say why with another time, and tasks put down that the same message told before."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def only_task(talk: Talk) -> str:
    [task] = talk.tasks.list(talk.caller, completed=False, limit=5)[0]
    return f"{task.title} {task.due_at or task.due_date}"


@pytest.mark.parametrize(
    ("first", "second", "due"),
    [
        ("remind me friday 2pm to send the VAT papers to Colin",
         "thursday i meant, colin's off friday. same time", "2026-02-05 14:00"),
        ("remind me on tuesday at 10 to call Ana", "no i meant wednesday, tuesday she's away",
         "2026-02-04 10:00"),
        ("remind me on tuesday at 10 to call Ana", "sorry, Thursday. On Tuesday they're closed",
         "2026-02-05 10:00"),
    ],
)  # fmt: skip
def test_the_time_of_a_reason_is_not_the_one_that_is_meant(first: str, second: str, due: str) -> None:
    talk = Talk()
    talk.classify_and_answer(first)
    talk.classify_and_answer(second)

    assert due in only_task(talk)


def test_an_agent_moves_to_the_day_that_is_meant() -> None:
    talk = Talk()
    talk.classify_and_answer("Every Tuesday at 9 list the unpaid invoices in Xero, here")
    talk.classify_and_answer("no, I meant Thursdays, on Tuesdays we're closed")

    schedule = talk.agents()[0].schedule
    assert schedule is not None
    assert schedule.cron == "0 9 * * 4"


@pytest.mark.parametrize(
    "message",
    [
        "I ought to get the boiler serviced. Can you put that on my list? No clue yet when, he never rings",
        "I ought to get the boiler serviced. put it down for me please",
    ],
)
def test_what_the_message_told_before_is_put_down(message: str) -> None:
    talk = Talk()
    talk.classify_and_answer(message)

    assert only_task(talk) == "get the boiler serviced None"
