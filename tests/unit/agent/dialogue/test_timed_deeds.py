"""A deed that begins with its time is a task of its own; finished tasks are a group by themselves."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def titles(talk: Talk) -> dict[str, str | None]:
    tasks, _ = talk.tasks.list(talk.caller, limit=20)
    return {one.title: one.due_date.isoformat() if one.due_date else None for one in tasks}


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("tomorrow call the bank", "call the bank"),
        ("friday: send the report to Jim", "send the report to Jim"),
        ("tonight feed the cat", "feed the cat"),
        ("monday pay the deposit", "pay the deposit"),
        ("thursday morning email Sam the plan", "email Sam the plan"),
        ("ok and on friday fix the gate", "fix the gate"),
    ],
)
def test_a_deed_that_begins_with_its_time_is_a_new_task(message: str, title: str) -> None:
    talk = Talk()
    talk.classify_and_answer("add order toner to my list")
    talk.classify_and_answer(message)
    assert titles(talk)["order toner"] is None
    assert titles(talk)[title] is not None


@pytest.mark.parametrize("message", ["tomorrow order it", "tomorrow order the toner", "friday, please"])
def test_a_time_for_what_was_talked_about_moves_that(message: str) -> None:
    talk = Talk()
    talk.classify_and_answer("add order toner to my list")
    talk.classify_and_answer(message)
    assert list(titles(talk)) == ["order toner"]
    assert titles(talk)["order toner"] is not None


def test_a_deed_behind_an_agent_is_a_task_and_a_command_to_the_agent_is_none() -> None:
    talk = Talk()
    talk.create("late-parcels", "parcels that are late")
    talk.classify_and_answer("show late-parcels")
    talk.classify_and_answer("tomorrow run late-parcels")
    assert titles(talk) == {}
    talk.classify_and_answer("leave it. tomorrow call the bank")
    assert list(titles(talk)) == ["call the bank"]


def test_the_subject_before_a_colon_belongs_to_the_title() -> None:
    talk = Talk()
    talk.classify_and_answer("oh and flour: order 25 kg by friday")
    talk.classify_and_answer("todo: call Ana")
    assert set(titles(talk)) == {"flour: order 25 kg", "call Ana"}


@pytest.mark.parametrize(
    "message",
    [
        "delete the done ones", "delete the tasks that are done", "delete the tasks that are already done",
        "clear all completed tasks", "remove what is done already", "delete the tasks I've finished",
        "get rid of everything that's done on my list", "delete finished tasks",
    ],
)  # fmt: skip
def test_all_finished_tasks_are_meant_and_no_other(message: str) -> None:
    talk = Talk()
    for title in ("ship the van parts", "renew the lease", "call Ana"):
        talk.classify_and_answer(f"add a task: {title}")
    talk.classify_and_answer("ship the van parts is done")
    talk.classify_and_answer("renew the lease is done")
    asked = talk.classify_and_answer(message).text
    assert asked.startswith("Shall I delete")
    assert "“ship the van parts”" in asked
    assert "“renew the lease”" in asked
    talk.classify_and_answer("yes")
    assert list(titles(talk)) == ["call Ana"]


def test_when_a_task_was_noted_comes_with_when_it_is_due() -> None:
    talk = Talk()
    talk.classify_and_answer("remind me about the dentist on Friday at 3pm")
    said = talk.classify_and_answer("when did I put the dentist?").text
    assert said.startswith("You put “the dentist” on your list today; it is due Friday")


@pytest.mark.parametrize(
    ("message", "title"),
    [
        (
            "Kindly note down that the census return has to reach the council by Thursday",
            "the census return has to reach the council",
        ),
        ("note that the boiler has to pass its test by Thursday", "the boiler has to pass its test"),
        ("remember that I have to call the bank by Thursday", "call the bank"),
    ],
)
def test_what_another_thing_has_to_do_is_the_title(message: str, title: str) -> None:
    talk = Talk()
    talk.classify_and_answer(message)
    assert list(titles(talk)) == [title]


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("they have given us one day more, so it is the Friday.", "2026-03-13"),
        ("they extended it till Monday", "2026-03-16"),
        ("they gave us longer, till the Wednesday", "2026-03-18"),
        ("move it to Friday", "2026-02-06"),
    ],
)
def test_more_time_until_a_day_ends_behind_the_day_before(message: str, day: str) -> None:
    talk = Talk()
    talk.classify_and_answer("add the tax form, due 12 March")
    talk.classify_and_answer(message)
    assert titles(talk) == {"the tax form": day}


@pytest.mark.parametrize(
    ("question", "listed"),
    [
        ("What else do I have due in May?", {"book the band"}),
        ("what's due in June?", {"pay the deposit"}),
        ("anything due in April?", set()),
        ("what is on my list for May?", {"book the band", "send the invitations"}),
        ("what do I have next month?", set()),
        ("may I see my list?", {"book the band", "send the invitations", "pay the deposit"}),
    ],
)
def test_the_tasks_of_a_month_are_listed(question: str, listed: set[str]) -> None:
    talk = Talk()
    talk.classify_and_answer("add book the band, due 12 May")
    talk.classify_and_answer("add pay the deposit, due 3 June")
    talk.classify_and_answer("add send the invitations, due 8 May")
    said = talk.classify_and_answer(question).text
    assert {title for title in titles(talk) if title in said} == listed
