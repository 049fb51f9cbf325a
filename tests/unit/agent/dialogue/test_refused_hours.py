"""Hours of the night in which an agent is not wanted leave the rest of its interval as it is."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def with_checks(cron: str = "0 * * * *") -> Talk:
    talk = Talk()
    talk.create("till-errors", "errors of the tills", sources=["shopify"], schedule=_schedule(cron))
    talk.create("low-stock", "articles to order", sources=["shopify"], schedule=_schedule("0 7 * * *"))
    talk.classify_and_answer("show till-errors")
    return talk


def _schedule(cron: str) -> dict[str, str]:
    return {"cron": cron, "time_zone": "UTC"}


def cron_of(talk: Talk, name: str) -> str:
    return next(str(one.schedule.cron) for one in talk.agents() if one.name == name and one.schedule)


@pytest.mark.parametrize(
    ("message", "hours"),
    [
        ("stop it during the night, 11pm to 6am", "6-22"),
        ("don't run it between 11pm and 6am", "6-22"),
        ("not between 22:00 and 7:00 please", "7-21"),
        ("no runs at night please, 11pm to 6am", "6-22"),
        ("not at night please, 11pm to 6am", "6-22"),
        ("till-errors shouldn't run at night", "6-21"),
        ("pause till-errors overnight, nobody reads it then", "6-21"),
        ("can you make it not run at night?", "6-21"),
    ],
)
def test_an_agent_is_not_run_in_the_hours_it_is_not_wanted(message: str, hours: str) -> None:
    talk = with_checks()
    said = talk.classify_and_answer(message).text
    assert "every hour from" in said
    assert cron_of(talk, "till-errors") == f"0 {hours} * * *"
    assert {one.status.value for one in talk.agents()} == {"active"}
    assert cron_of(talk, "low-stock") == "0 7 * * *"


def test_the_minutes_of_an_interval_stay() -> None:
    talk = with_checks("*/20 8-23 * * *")
    talk.classify_and_answer("not between 10pm and 6am")
    assert cron_of(talk, "till-errors") == "*/20 8-21 * * *"


@pytest.mark.parametrize("message", ["pause it until 6am", "stop it tonight", "pause it for the night"])
def test_one_night_is_a_pause(message: str) -> None:
    talk = with_checks()
    talk.classify_and_answer(message)
    assert cron_of(talk, "till-errors") == "0 * * * *"
    assert [one.status.value for one in talk.agents() if one.name == "till-errors"] == ["paused"]


@pytest.mark.parametrize("message", ["is it running at night?", "why does it run at night?"])
def test_a_question_leaves_no_hours_out(message: str) -> None:
    talk = with_checks()
    talk.classify_and_answer(message)
    assert cron_of(talk, "till-errors") == "0 * * * *"


def test_an_agent_with_one_time_a_day_keeps_it_and_is_asked_about() -> None:
    talk = with_checks()
    talk.classify_and_answer("show low-stock")
    assert talk.classify_and_answer("it shouldn't run at night").text.endswith("?")
    assert cron_of(talk, "low-stock") == "0 7 * * *"
