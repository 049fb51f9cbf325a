"""What may fill a slot of a new agent: words such as "for" and "that" are no source, no job and no name."""

from __future__ import annotations

import pytest

from intent.acts.slot_types import may_be_title, names_something
from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    "text", ["For", "something", "that one", "teh", "it's", "in the mornig", "From now on"]
)
def test_closed_class_words_name_nothing(text: str) -> None:
    assert not names_something(text)


@pytest.mark.parametrize("text", ["it has to be 180", "the other one", "no, wednesday", "is it on?"])
def test_a_sentence_about_what_was_spoken_of_is_no_title(text: str) -> None:
    assert not may_be_title(text)


@pytest.mark.parametrize("text", ["the thing with the boxes", "taxi again 710", "ring the laundry"])
def test_a_thing_or_a_deed_is_a_title(text: str) -> None:
    assert may_be_title(text)


@pytest.mark.parametrize(
    ("message", "what"),
    [
        (
            (
                "I keep forgetting to look whether the groups have paid their hall rent. Could something keep"
                " an eye"
                " on that for me?"
            ),
            "whether the groups have paid their hall rent",
        ),
        (
            "Nobody checks if the deliveries came in. Can you watch that for me?",
            "if the deliveries came",
        ),
        (
            "The stock runs out and nobody notices. Could an agent look after that?",
            "The stock runs out and nobody notices",
        ),
    ],
)  # fmt: skip
def test_the_job_may_be_told_before_the_request(message: str, what: str) -> None:
    talk = Talk()
    talk.classify_and_answer(message)
    for answer in ("Xero", "Mondays at 9", "here"):
        talk.classify_and_answer(answer)
    (agent,) = talk.agents()
    assert (agent.what, agent.sources) == (what, ("xero",))
    assert not agent.name.startswith(("for-", "something-", "teh-"))


@pytest.mark.parametrize(
    ("message", "cron"),
    [
        ("substitute requests from Frontline every school day at 6:15 AM, to s@acme.io", "15 6 * * 1-5"),
        ("every office day at 8 the visitor list from Envoy to f@acme.io", "0 8 * * 1-5"),
        ("every day at 9 the open jobs from Jira to j@acme.io. and weekends not", "0 9 * * 1-5"),
        (
            (
                "every day 14:00 open points of the shift book from Notion to s@acme.io. no, 13:45. and"
                " sunday not, we are closed"
            ),
            "45 13 * * 1,2,3,4,5,6",
        ),
        ("unpaid bills from Xero on the 1st of every month at 9am to a@acme.io", "0 9 1 * *"),
    ],
)  # fmt: skip
def test_days_are_read_as_people_name_them(message: str, cron: str) -> None:
    talk = Talk()
    talk.classify_and_answer(message)
    (agent,) = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.cron == cron


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("call it fish prices insted of fishreport, sounds less like homework lol", "fish-prices"),
        ("rename it to late books, thats clearer", "late-books"),
        ("call fishreport late fish from now on", "late-fish"),
    ],
)
def test_a_name_may_have_two_words(message: str, name: str) -> None:
    talk = Talk()
    talk.classify_and_answer(
        "agent named fishreport, thursdays 7am, prices from our google sheet to c@acme.io"
    )
    talk.classify_and_answer(message)
    assert [agent.name for agent in talk.agents()] == [name]


def test_a_misspelt_part_of_day_is_no_source() -> None:
    talk = Talk()
    talk.create(
        "debtor-list", sources=["xero"], schedule={"cron": "0 9 * * 1", "text": "", "time_zone": "UTC"}
    )
    talk.classify_and_answer(
        "good mornign, so sorry to trouble, coudl you chnage debtor-list to 8 insted of 9 in the mornig pls,"
        " evrything else the same, thnak you"
    )
    (agent,) = talk.agents()
    assert agent.schedule is not None
    assert (agent.sources, agent.schedule.cron, agent.instructions) == (("xero",), "0 8 * * 1", "")
