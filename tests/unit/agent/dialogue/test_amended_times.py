"""Times that are amended: days that are added, reasons behind a new hour, the day of another task, and one
report on several changes of an agent.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.fakes.data.chat_session import Talk

WEEKDAYS = {"cron": "0 8 * * 1-5", "text": "Weekdays at 8:00 AM", "time_zone": "UTC"}


def talk_with_agent() -> Talk:
    talk = Talk()
    talk.create("no-shows", "patients who did not come", sources=["deputy"], schedule=WEEKDAYS)
    return talk


def cron(talk: Talk) -> str:
    [agent] = talk.agents()
    return agent.schedule.cron if agent.schedule else ""


def dues(talk: Talk) -> dict[str, str]:
    tasks = talk.tasks.list(talk.caller, completed=None)[0]
    return {task.title: str(task.due_at or task.due_date or "") for task in tasks}


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (
            "the no-shows mail should come at quarter past 7, and only mon to thu",
            "now runs Mondays, Tuesdays, Wednesdays and Thursdays at 7:15 AM",
        ),
        ("put no-shows at half past six; also it should only run tuesdays", "now runs Tuesdays at 6:30 AM"),
    ],
)
def test_two_changes_of_one_agent_are_told_in_one_sentence_on_the_final_state(
    message: str, said: str
) -> None:
    reply = talk_with_agent().classify_and_answer(message)

    assert reply.text.count("now runs") == 1
    assert reply.text.startswith(f"no-shows {said}")


@pytest.mark.parametrize(
    ("more", "days"),
    [
        ("sorry, friday as well, we're open fridays now", "1-5"),
        ("oh and fridays too, we work fridays these days", "1-5"),
        ("also saturday, the shop opens then", "1,2,3,4,6"),
        ("plus sundays please, we have a market on sundays", "0,1,2,3,4"),
        ("wait, it should come on fridays as well. we do open on fridays", "1-5"),
        ("hmm, can it do saturday too? the boss is in on saturdays", "1,2,3,4,6"),
    ],
)
def test_a_day_as_well_is_added_whatever_reason_stands_behind_it(more: str, days: str) -> None:
    talk = talk_with_agent()
    talk.classify_and_answer("move no-shows to mondays to thursdays at 7:15")

    talk.classify_and_answer(more)

    assert cron(talk) == f"15 7 * * {days}"


@pytest.mark.parametrize(
    ("amended", "at"),
    [
        ("make it 11, forgot theres standup at 10", "11:00"),
        ("no, 11. got the dentist at 10", "11:00"),
        ("make that 2 - lunch with Bo is at 1", "14:00"),
        ("actually 8, standup was moved to 10", "08:00"),
        ("make it 11, my train gets in at 10", "11:00"),
        ("make it 9:30, cant do 10", "09:30"),
    ],
)
def test_the_hour_of_an_amendment_counts_and_that_of_its_reason_does_not(amended: str, at: str) -> None:
    talk = Talk()
    talk.classify_and_answer("remind me tomorrow at 10 to answer Priya about the refund")

    talk.classify_and_answer(amended)

    tomorrow = (talk.clock.now() + timedelta(days=1)).date()
    assert dues(talk) == {"answer Priya about the refund": f"{tomorrow} {at}:00"}


@pytest.mark.parametrize(
    "amended",
    ["make it 10, rota runs at 9 already", "no, 10 as rota runs at 9", "make it 10, I need rota at 9"],
)
def test_an_agent_in_the_reason_of_an_amended_hour_is_not_changed(amended: str) -> None:
    talk = talk_with_agent()
    talk.create("rota", "shifts", sources=["deputy"], schedule=WEEKDAYS)
    talk.classify_and_answer("move no-shows to 9")

    talk.classify_and_answer(amended)

    found = {agent.name: agent.schedule.cron for agent in talk.agents() if agent.schedule}
    assert found == {"no-shows": "0 10 * * 1-5", "rota": "0 8 * * 1-5"}


def test_days_behind_an_amended_hour_are_no_reason() -> None:
    talk = talk_with_agent()
    talk.classify_and_answer("move no-shows to 9")

    talk.classify_and_answer("make it 11, and only on mondays")

    assert cron(talk) == "0 11 * * 1"


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("and pick up the cake boxes, same day", "pick up the cake boxes"),
        ("also order flour for the same day", "order flour"),
        ("add a task to call Jo on the same day", "call Jo"),
        ("same day: wash the van", "wash the van"),
        ("put down watering the plants too, due the same date", "watering the plants"),
        ("remind me to fetch mum that same day", "fetch mum"),
    ],
)
def test_a_task_of_the_same_day_is_due_as_the_one_just_spoken_of(message: str, title: str) -> None:
    talk = Talk()
    talk.classify_and_answer("add ring the miller friday")

    said = talk.classify_and_answer(message)

    found = dues(talk)
    assert found[title] == found["ring the miller"] != ""
    assert "I did not do" not in said.text


def test_a_time_beside_the_same_day_is_kept() -> None:
    talk = Talk()
    talk.classify_and_answer("add ring the miller friday")

    talk.classify_and_answer("note to pick up boxes same day at 3pm")

    assert dues(talk)["pick up boxes"] == f"{dues(talk)['ring the miller']} 15:00:00"


def test_the_same_day_with_a_noun_is_part_of_a_title() -> None:
    talk = Talk()
    talk.classify_and_answer("add ring the miller friday")

    talk.classify_and_answer("add buy the same day tickets")

    assert dues(talk)["buy the same day tickets"] == ""
