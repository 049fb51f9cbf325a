"""Answers to "which one?" that describe the option instead of naming it."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from tasks.task import TaskSpec
from tests.fakes.data.chat_session import Talk


def _two_reports() -> Talk:
    talk = Talk()
    for name, cron, text in (
        ("sales-opening", "0 8 * * *", "Daily at 8:00 AM"),
        ("sales-closing", "0 21 * * 1", "Every Monday at 9:00 PM"),
    ):
        talk.create(
            name, "sales per shop", sources=["lightspeed"],
            schedule={"cron": cron, "text": text},
            delivery={"channels": ["email"], "recipients": ["paco@mercasur.es"]},
        )  # fmt: skip
    return talk


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [
        ("just the morning one, she's home by the evening", "sales-opening"),
        ("the one in the evening", "sales-closing"),
        ("the one that comes on Monday please", "sales-closing"),
        ("the daily one", "sales-opening"),
        ("the 8:00 one", "sales-opening"),
        ("the opening one", "sales-opening"),
    ],
)
def test_an_agent_is_told_by_when_it_runs(answer: str, chosen: str) -> None:
    talk = _two_reports()
    asked = talk.classify_and_answer("Can Lucia get the sales report too? It's lucia@mercasur.es").text
    assert asked == "Which one should I change: sales-closing or sales-opening?"
    talk.classify_and_answer(answer)
    served = [one.name for one in talk.agents() if "lucia@mercasur.es" in one.delivery.recipients]
    assert served == [chosen]


@pytest.mark.parametrize(
    "answer", ["the sales one", "what do they do?", "hm, let me see", "the weekly or the daily"]
)
def test_what_fits_both_or_none_changes_nothing(answer: str) -> None:
    talk = _two_reports()
    talk.classify_and_answer("Can Lucia get the sales report too? It's lucia@mercasur.es")
    talk.classify_and_answer(answer)
    assert not [one.name for one in talk.agents() if "lucia@mercasur.es" in one.delivery.recipients]


@pytest.mark.parametrize(
    ("answer", "done"),
    [
        ("the {later:%A} one", "call Mrs Bauer about the lease"),
        ("the one on {later:%A}, Mrs Bauer", "call Mrs Bauer about the lease"),
        ("Anders", "call Mr Anders about the lease"),
    ],
)
def test_a_task_is_told_by_when_it_is_due(answer: str, done: str) -> None:
    talk = Talk()
    later = talk.clock.now().date() + timedelta(days=4)
    _with_calls(talk, later)
    asked = talk.classify_and_answer("The call about the lease is done").text
    assert asked.endswith("?")
    talk.classify_and_answer(answer.format(later=later))
    assert [one.title for one in talk.tasks.list(talk.caller, limit=9)[0] if one.completed] == [done]


def _with_calls(talk: Talk, later: date) -> None:
    for title, day in (("call Mr Anders about the lease", later - timedelta(days=1)),
                       ("call Mrs Bauer about the lease", later), ("order key fobs", later)):  # fmt: skip
        talk.tasks.create(talk.caller, TaskSpec(title=title, due_date=day))
