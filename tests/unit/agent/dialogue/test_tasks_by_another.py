"""Tasks whose time is told by an event, or by the task just added; tasks in a list with days of their own."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def dues(talk: Talk) -> dict[str, str]:
    """Return what each task is due by its title, without what it tells of an event."""
    found, _ = talk.tasks.list(talk.caller, limit=20)
    return {one.title.partition(" (")[0]: str(one.due_at or one.due_date or "") for one in found}


@pytest.mark.parametrize(
    ("message", "title", "due"),
    [
        (
            "the wedding is on June 20, so the day before at 4:30pm please remind me to call the florist",
            "call the florist",
            "2026-06-19 16:30:00",
        ),
        ("my flight is on Friday at 7, so remind me the day before to pack", "pack", "2026-02-05"),
        (
            "the inspection is on June 12. remind me two days before to clean the kitchen",
            "clean the kitchen", "2026-06-10",
        ),
        (
            "the lease ends June 30, so a week before remind me to write to the landlord",
            "write to the landlord", "2026-06-23",
        ),
        (
            "I have a dentist appointment on June 12, and remind me the day before to buy floss",
            "buy floss", "2026-06-11",
        ),
        (
            "Lena's birthday is March 3rd, could you remind me two weeks before to book the table please",
            "book the table", "2026-02-17",
        ),
    ],
)  # fmt: skip
def test_a_reminder_counts_from_the_date_of_an_event_that_is_no_task(
    message: str, title: str, due: str
) -> None:
    talk = Talk()

    talk.classify_and_answer(message)

    assert dues(talk) == {title: due}


def test_an_event_that_is_to_be_put_down_is_a_task_beside_its_reminder() -> None:
    talk = Talk()

    talk.classify_and_answer(
        "add the Alvarez wedding on June 20 and remind me the day before at 4pm to call the florist"
    )

    assert dues(talk) == {"the Alvarez wedding": "2026-06-20", "call the florist": "2026-06-19 16:00:00"}


@pytest.mark.parametrize(
    ("message", "title", "due"),
    [
        ("remind me to call Bo the day before Easter", "call Bo", "2026-04-04"),
        ("remind me two days before the 14th to call Bo", "call Bo", "2026-02-12"),
    ],
)
def test_a_date_beside_the_offset_is_the_one_it_counts_from(message: str, title: str, due: str) -> None:
    talk = Talk()

    talk.classify_and_answer(message)

    assert dues(talk) == {title: due}


@pytest.mark.parametrize(
    ("message", "title", "due"),
    [
        ("and another one for the caterer, an hour earlier that same day", "call the caterer", "15:30:00"),
        ("another one for the baker, same day at noon", "call the baker", "12:00:00"),
        ("one more for the hall, half an hour earlier", "call the hall", "16:00:00"),
        ("another reminder for Joe two hours later please", "call Joe", "18:30:00"),
        ("same again for the baker", "call the baker", "16:30:00"),
        ("another one: pick up the cake, an hour earlier the same day", "pick up the cake", "15:30:00"),
        ("and remind me to pay the caterer an hour before that", "pay the caterer", "15:30:00"),
    ],
)
def test_one_more_task_is_told_by_the_one_just_added(message: str, title: str, due: str) -> None:
    talk = Talk()
    talk.classify_and_answer("remind me to call the florist on June 19 at 4:30pm")

    said = talk.classify_and_answer(message)

    assert dues(talk) == {"call the florist": "2026-06-19 16:30:00", title: f"2026-06-19 {due}"}
    assert "did not do" not in said.text


def test_one_more_task_for_another_person_is_told_by_day() -> None:
    talk = Talk()
    talk.classify_and_answer("add a task: send the invoice to Bob by friday")

    talk.classify_and_answer("another one for Anna, a week later")

    assert dues(talk)["send the invoice to Anna"] == "2026-02-13"


@pytest.mark.parametrize(
    ("message", "tasks"),
    [
        ("make it an hour earlier", {"call the florist": "2026-06-19 15:30:00"}),
        (
            "another one for tomorrow: buy stamps",
            {"call the florist": "2026-06-19 16:30:00", "buy stamps": "2026-01-31"},
        ),
    ],
)
def test_other_words_behind_a_new_task_mean_what_they_did(message: str, tasks: dict[str, str]) -> None:
    talk = Talk()
    talk.classify_and_answer("remind me to call the florist on June 19 at 4:30pm")

    talk.classify_and_answer(message)

    assert dues(talk) == tasks


@pytest.mark.parametrize(
    ("message", "tasks"),
    [
        (
            "quick: remind me of the vet thursday 3:15pm, Max's book is due monday, and sign the form today",
            ["2026-01-30", "2026-02-02", "2026-02-05 15:15:00"],
        ),
        (
            "in a rush - please remind me of the vet on friday 2pm, the parcel tomorrow and the rent monday",
            ["2026-01-31", "2026-02-02", "2026-02-06 14:00:00"],
        ),
        ("add dentist on June 12 and remind me to call mum tomorrow", ["2026-01-31", "2026-06-12"]),
    ],
)
def test_tasks_in_one_breath_have_days_of_their_own(message: str, tasks: list[str]) -> None:
    talk = Talk()

    talk.classify_and_answer(message)

    assert sorted(dues(talk).values()) == tasks
    assert not any("remind" in title for title in dues(talk))
