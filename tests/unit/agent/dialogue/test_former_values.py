"""How agents and tasks were before they were changed: told when asked for, and brought back."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tasks.task import TaskSpec
from tests.fakes.data.chat_session import Talk

_EIGHT = {"cron": "0 8 * * 1-6", "time_zone": "UTC", "text": "Mondays to Saturdays at 8:00 AM"}
_MAIL = {"channels": ["email"], "recipients": ["anil@shop.co"]}


def _talk(**fields: object) -> Talk:
    talk = Talk()
    given: Mapping[str, object] = {"schedule": _EIGHT, "delivery": _MAIL, "sources": ["square"], **fields}
    talk.create("till-check", "till differences", **given)
    talk.create("stock", "low stock", schedule={"cron": "0 7 * * 1", "time_zone": "UTC"})
    return talk


def _cron(talk: Talk, name: str = "till-check") -> str:
    agent = next(one for one in talk.agents() if one.name == name)
    return agent.schedule.cron if agent.schedule else ""


@pytest.mark.parametrize(
    ("change", "question", "part"),
    [
        ("move till-check to 9:30 please", "what time was it before I changed it?", "8:00 AM"),
        ("till-check at 10 from now on", "when did it run before that?", "8:00 AM"),
        ("run till-check at 7 instead", "what was the old time?", "8:00 AM"),
        ("make till-check run at 6 am", "what time did till-check use to run?", "8:00 AM"),
        ("move till-check to 9:30", "and what was it set to originally?", "8:00 AM"),
        ("send till-check to bo@shop.co instead", "where did it go before?", "mailed anil@shop.co"),
        ("send till-check to bo@shop.co instead", "what was the previous address?", "mailed anil@shop.co"),
        ("rename till-check to drawer-watch", "what was it called before?", "was called till-check"),
        ("rename till-check to drawer-watch", "what was the old name?", "was called till-check"),
    ],
)
def test_the_value_before_a_change_is_told(change: str, question: str, part: str) -> None:
    talk = _talk()
    assert talk.classify_and_answer(change).effects
    talk.clock.advance(86_400)

    answer = talk.classify_and_answer(question)

    assert part in answer.text
    assert answer.text.startswith("Until the change yesterday, ")
    assert not answer.effects


@pytest.mark.parametrize(
    "request_", ["put it back to that then, my son likes it early", "change it back",
                 "go back to the old time",
                 "set it back to what it was before please", "can you move it back to how it was?"],
)  # fmt: skip
def test_the_value_that_was_told_is_brought_back(request_: str) -> None:
    talk = _talk()
    talk.classify_and_answer("move till-check to 9:30")
    talk.classify_and_answer("what time was it before I changed it?")

    talk.classify_and_answer(request_)

    assert _cron(talk) == "0 8 * * 1-6"


def test_a_field_is_brought_back_that_was_not_the_last_to_change() -> None:
    talk = _talk()
    talk.classify_and_answer("move till-check to 9:30")
    talk.classify_and_answer("send till-check to bo@shop.co instead")

    talk.classify_and_answer("set the time of till-check back to what it was")

    (agent,) = [one for one in talk.agents() if one.name == "till-check"]
    assert _cron(talk) == "0 8 * * 1-6"
    assert agent.delivery.recipients == ("bo@shop.co",)


def test_another_conversation_knows_how_an_agent_was() -> None:
    talk = _talk()
    talk.classify_and_answer("move till-check to 9:30")
    talk.history.clear()
    talk.clock.advance(3 * 86_400)

    assert (
        "ran Mondays to Saturdays at 8:00 AM"
        in talk.classify_and_answer("when did till-check use to run?").text
    )
    talk.classify_and_answer("put it back to that please")

    assert _cron(talk) == "0 8 * * 1-6"


def test_what_never_changed_is_said_to_be_as_it_was_set_up() -> None:
    answer = _talk().classify_and_answer("what time was till-check before?")

    assert "no change to till-check" in answer.text
    assert not answer.effects


@pytest.mark.parametrize(
    "message",
    ["set it back to 10", "switch till-check back on", "put the backup on my list", "bring me the report"],
)
def test_a_new_value_is_no_former_one(message: str) -> None:
    talk = _talk()
    talk.classify_and_answer("move till-check to 9:30")

    talk.classify_and_answer(message)

    assert _cron(talk) != "0 8 * * 1-6"


def test_the_day_of_a_task_before_it_was_moved_is_told() -> None:
    talk = Talk()
    talk.tasks.create(
        talk.caller, TaskSpec.model_validate({"title": "call the roofer", "due_date": "2026-02-06"})
    )
    talk.classify_and_answer("move the roofer to Monday")

    assert "was due Friday, February 6" in talk.classify_and_answer("when was it due before?").text


def test_what_was_done_to_one_agent_is_undone_after_another_one_changed() -> None:
    talk = _talk()
    talk.classify_and_answer("send till-check to bo@shop.co instead")
    talk.classify_and_answer("move stock to 9")

    talk.classify_and_answer("undo the one on till-check")

    (agent,) = [one for one in talk.agents() if one.name == "till-check"]
    assert agent.delivery.recipients == ("anil@shop.co",)
    assert _cron(talk, "stock") != "0 7 * * 1"
