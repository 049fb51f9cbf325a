"""A clause that names an agent is about that one: its ordinals are days of a month, no places of a list."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

WEEKDAYS = {"cron": "0 8 * * 1-5", "text": "Weekdays at 8:00 AM", "time_zone": "UTC"}
WAS = "0 8 * * 1-5"


def talk_with_three() -> Talk:
    talk = Talk()
    for name in ("oil-levels", "press-hours", "scrap-rate"):
        talk.create(name, f"what {name.partition('-')[0]} is about", sources=["deputy"], schedule=WEEKDAYS)
    return talk


def crons(talk: Talk) -> dict[str, str]:
    return {agent.name: agent.schedule.cron if agent.schedule else "" for agent in talk.agents()}


@pytest.mark.parametrize(
    ("message", "cron"),
    [
        (
            "Delete scrap-rate, nobody reads it. And press-hours only on the first of the month, same time.",
            "0 8 1 * *",
        ),
        (
            "scrap-rate is rubbish, stop it. From now on press-hours comes on the first of each month",
            "0 8 1 * *",
        ),
        (
            "pause scrap-rate. press-hours should only run on the second of every month, same hour",
            "0 8 2 * *",
        ),
        ("share scrap-rate, and put press-hours on the first of every month", "0 8 1 * *"),
        ("run press-hours on the 1st and 3rd of each month", "0 8 1,3 * *"),
    ],
)
def test_the_named_agent_is_changed_and_no_other(message: str, cron: str) -> None:
    talk = talk_with_three()
    talk.classify_and_answer("list my agents")

    talk.classify_and_answer(message)

    found = crons(talk)
    assert (found["oil-levels"], found["scrap-rate"]) == (WAS, WAS)
    assert found["press-hours"] == cron


def test_a_day_of_the_month_is_no_place_in_the_list_for_it_either() -> None:
    talk = talk_with_three()
    talk.classify_and_answer("show scrap-rate")

    talk.classify_and_answer("run it on the 1st and 2nd of each month")

    assert crons(talk) == {"oil-levels": WAS, "press-hours": WAS, "scrap-rate": "0 8 1,2 * *"}


def test_numbers_alone_are_still_places_in_the_list() -> None:
    talk = talk_with_three()
    talk.classify_and_answer("list my agents")

    talk.classify_and_answer("pause 1 and 3")

    assert [agent.name for agent in talk.agents() if agent.status == "paused"] == ["oil-levels", "scrap-rate"]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("move oil-levels to 9 and press-hours to 10", ("0 9 * * 1-5", "0 10 * * 1-5", WAS)),
        (
            "move oil-levels to 9, scrap-rate to mondays and press-hours to tuesdays",
            ("0 9 * * 1-5", "0 8 * * 2", "0 8 * * 1"),
        ),
        (
            "set oil-levels to fridays, scrap-rate only mondays, press-hours at 7",
            ("0 8 * * 5", "0 7 * * 1-5", "0 8 * * 1"),
        ),
        ("oil-levels on mondays and press-hours on tuesdays please", ("0 8 * * 1", "0 8 * * 2", WAS)),
    ],
)
def test_each_of_several_agents_gets_its_own_time(message: str, expected: tuple[str, ...]) -> None:
    talk = talk_with_three()

    talk.classify_and_answer(message)

    assert tuple(crons(talk)[name] for name in ("oil-levels", "press-hours", "scrap-rate")) == expected


def test_two_days_of_the_month_are_both_taken() -> None:
    talk = talk_with_three()
    talk.classify_and_answer("show scrap-rate")

    talk.classify_and_answer("make it the 2nd and 3rd of the month")

    assert crons(talk)["scrap-rate"] == "0 8 2,3 * *"
