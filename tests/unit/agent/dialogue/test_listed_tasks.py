"""Tasks that list several things, lists that are no title, and what is overdue or due."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.fakes.data.chat_session import Talk


def told(talk: Talk, *messages: str) -> str:
    return [talk.classify_and_answer(message) for message in messages][-1].text


def tasks(talk: Talk) -> dict[str, bool]:
    return {task.title: task.completed for task in talk.tasks.list(talk.caller, completed=None)[0]}


@pytest.mark.parametrize(
    ("title", "message"),
    [
        ("milk, bread and the visa form", "visa form is done"),
        ("milk, bread and the visa form", "the bread is done"),
        ("passport, tickets and insurance", "tickets are done"),
        ("order paper, toner and stamps", "the toner is done"),
    ],
)
def test_a_part_that_is_done_is_not_the_whole(title: str, message: str) -> None:
    talk = Talk()
    assert title in told(talk, f"add {title} for friday")
    assert "Shall I tick off all of it" in told(talk, message)
    assert tasks(talk) == {title: False}
    told(talk, "yes")
    assert tasks(talk) == {title: True}


@pytest.mark.parametrize(
    "message", ["it's done", "that task is done", "milk, bread and the visa form are done"]
)
def test_a_task_that_is_named_as_a_whole_is_ticked_off(message: str) -> None:
    talk = Talk()
    told(talk, "add milk, bread and the visa form for friday", message)
    assert tasks(talk) == {"milk, bread and the visa form": True}


@pytest.mark.parametrize(
    "message",
    [
        "add to my list order gloves size m, fax dr patel the med list and call the pharmacy",
        "please add to my list: order gloves size m, fax dr patel the med list and call the pharmacy",
    ],
)
def test_the_list_is_no_part_of_a_title(message: str) -> None:
    talk = Talk()
    told(talk, message)
    assert list(tasks(talk)) == ["order gloves size m", "fax dr patel the med list", "call the pharmacy"]


def test_a_list_of_something_is_a_title() -> None:
    talk = Talk()
    told(talk, "add a task: print our list of suppliers")
    assert list(tasks(talk)) == ["print our list of suppliers"]


@pytest.mark.parametrize(
    "message",
    ["good morning, what is overdue or due tomorrow?", "what is overdue or due this week?",
     "what's late or due tomorrow?"],
)  # fmt: skip
def test_what_is_overdue_or_due_lists_both(message: str) -> None:
    talk = Talk()
    told(talk, "to-do for wednesday: renew the parking permits")
    told(talk, "and for friday: send the quote to Lindqvist", "add a task to call Ann in three weeks")
    now = talk.clock.now()
    talk.clock.advance(timedelta(days=(3 - now.weekday()) % 7).total_seconds())
    reply = told(talk, message)
    assert "permits" in reply
    assert "Lindqvist" in reply
    assert "Ann" not in reply


@pytest.mark.parametrize(
    "message", ["it's done", "that's done already", "oh it's finished", "it is completed"]
)
def test_what_is_said_to_be_done_right_after_it_was_added_is_ticked_off(message: str) -> None:
    talk = Talk()
    told(talk, "add a task to call Ann for friday", message)
    assert tasks(talk) == {"call Ann": True}


def test_two_agents_are_shared_and_private() -> None:
    talk = Talk()
    for name in ("alpha-one", "beta-two"):
        talk.create(name, "new orders", sources=["shopify"])
    assert told(talk, "share alpha-one and beta-two").startswith("alpha-one and beta-two are now shared: ")
    assert told(talk, "make alpha-one and beta-two private") == (
        "alpha-one and beta-two are private now: only you can see them."
    )
