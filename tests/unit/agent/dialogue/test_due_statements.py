"""Statements of when a task is due change that task, and pick or delete none."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def dues(talk: Talk) -> dict[str, str]:
    tasks = talk.turn("", "").situation.read_tasks()
    return {
        task.title: f"{task.due_date:%d.%m.}" if task.due_date else "" for task in tasks if not task.completed
    }


def talk_of(*messages: str) -> Talk:
    talk = Talk()
    for message in messages:
        talk.classify_and_answer(message)
    return talk


@pytest.mark.parametrize(
    ("say", "expected"),
    [
        ("the shampoo is for thursday", {"order shampoo": "05.02."}),
        ("and the shampoo is for thursday. no, wednesday", {"order shampoo": "04.02."}),
        ("vet wednesday, clippers tuesday", {"phone the vet": "04.02.", "sharpen the clippers": "03.02."}),
        ("wrong day btw, vet is thursday", {"phone the vet": "05.02."}),
    ],
)
def test_the_named_tasks_are_due_then(say: str, expected: dict[str, str]) -> None:
    talk = talk_of("add order shampoo, sharpen the clippers and phone the vet to my list", say)

    assert dues(talk) == {"order shampoo": "", "sharpen the clippers": "", "phone the vet": "", **expected}


def test_one_behind_a_report_changes_its_own_task() -> None:
    talk = talk_of(
        "need on my list book mot for the astra, order brake pads and ring mr singh on wednesday",
        "mot is booked so tick that off and the pads are for tomorrow",
    )

    assert dues(talk) == {"order brake pads": "31.01.", "ring mr singh": "04.02."}


def test_it_is_no_choice_of_what_to_delete() -> None:
    talk = talk_of(
        "add order shampoo, sharpen the clippers and phone the vet to my list", "delete one of the tasks",
        "the shampoo is for thursday",
    )  # fmt: skip

    assert dues(talk) == {"order shampoo": "05.02.", "sharpen the clippers": "", "phone the vet": ""}


def test_one_of_several_new_tasks_is_taken_back_by_its_name() -> None:
    talk = talk_of(
        "add order shampoo, sharpen the clippers and phone the vet to my list",
        "not the vet one, my sister already rang them",
    )

    assert dues(talk) == {"order shampoo": "", "sharpen the clippers": ""}


@pytest.mark.parametrize(
    ("say", "due"),
    [
        ("move the steamer to saturday, fridays mad", "31.01."),
        ("move it to monday, tuesdays are crazy", "02.02."),
        ("ugh no. wednesday, sorry!!", "04.02."),
    ],
)
def test_a_day_that_is_the_reason_is_none_that_is_wanted(say: str, due: str) -> None:
    assert dues(talk_of("put descale the steamer on my list for friday", say)) == {"descale the steamer": due}


def test_a_task_is_opened_again_for_another_day() -> None:
    talk = talk_of(
        "add book the van in to my list for friday", "add pay the rent", "tick off book the van",
        "open it up again, for the 20th",
    )  # fmt: skip

    assert dues(talk) == {"book the van in": "20.02.", "pay the rent": ""}


@pytest.mark.parametrize(
    "say", ["the dentist is on Thursday, not Wednesday", "dentist is thursday not wednesday"]
)
@pytest.mark.parametrize("between", [[], ["hello", "what is 5 plus 6?", "thanks"]])
def test_a_day_in_place_of_another_is_the_named_tasks(say: str, between: list[str]) -> None:
    talk = talk_of("add dentist with Mia for wednesday to my list", *between, say)

    assert dues(talk) == {"dentist with Mia": "05.02."}


@pytest.mark.parametrize("say", ["the party is on Friday, not Saturday", "party is friday not saturday"])
def test_a_day_of_something_else_changes_no_task(say: str) -> None:
    talk = talk_of("add dentist with Mia for wednesday to my list", say)

    assert dues(talk) == {"dentist with Mia": "04.02."}


@pytest.mark.parametrize("say", ["no, friday not thursday", "it is friday, not wednesday"])
def test_a_day_of_nothing_named_is_that_of_the_task_before(say: str) -> None:
    talk = talk_of("add dentist with Mia for wednesday to my list", say)

    assert dues(talk) == {"dentist with Mia": "06.02."}
