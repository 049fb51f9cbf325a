"""Troubles with a web page that somebody learns of too late: a watch is offered, and made after a yes."""

from __future__ import annotations

import pytest

from agent.checks.check import Expectation
from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    ("trouble", "url", "expect"),
    [
        (
            "the booking form on www.zahnarzt-beck.de is broken again and again, patients ring me about it",
            "https://www.zahnarzt-beck.de",
            Expectation.REACHABLE,
        ),
        (
            "nobody told us that tickets.lido-club.org was offline all weekend. Can you do anything there?",
            "https://tickets.lido-club.org",
            Expectation.REACHABLE,
        ),
        (
            "the council rewrites https://council.example/fees without a word and we always miss it",
            "https://council.example/fees",
            Expectation.UNCHANGED,
        ),
        (
            "how would I notice if somebody messed with verein-ost.at?",
            "https://verein-ost.at",
            Expectation.UNCHANGED,
        ),
    ],
)
def test_a_watch_of_the_page_is_offered_and_made_after_a_yes(
    trouble: str, url: str, expect: Expectation
) -> None:
    talk = Talk()
    offer = talk.classify_and_answer(trouble)
    assert "Shall I?" in offer.text
    assert talk.agents() == []
    talk.classify_and_answer("yes please")
    (agent,) = talk.agents()
    assert agent.check is not None
    assert (agent.check.url, agent.check.expect) == (url, expect)
    assert agent.schedule is not None


@pytest.mark.parametrize(
    ("trouble", "address", "expect"),
    [
        (
            "our webshop keeps crashing and customers tell me before I know",
            "larssons-garn.se",
            Expectation.REACHABLE,
        ),
        (
            "they change the timetable page without telling anybody",
            "here it is: https://bus.example/t",
            Expectation.UNCHANGED,
        ),
    ],
)
def test_only_the_address_is_asked_for_where_it_is_unknown(
    trouble: str, address: str, expect: Expectation
) -> None:
    talk = Talk()
    assert "What is the address of the page?" in talk.classify_and_answer(trouble).text
    talk.classify_and_answer(address)
    (agent,) = talk.agents()
    assert agent.check is not None
    assert agent.check.expect is expect


def test_a_yes_may_say_how_often_and_where_to() -> None:
    talk = Talk()
    talk.classify_and_answer("I only hear from the guests that rooms.inn.example is down")
    talk.classify_and_answer("yes, but every hour, and mail it to me at a@inn.example")
    (agent,) = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.cron == "0 * * * *"
    assert agent.delivery.recipients == ("a@inn.example",)


def test_no_leaves_everything_as_it_is() -> None:
    talk = Talk()
    talk.classify_and_answer("we always hear too late that our homepage is down")
    talk.classify_and_answer("no thanks")
    talk.classify_and_answer("shop.example")
    assert talk.agents() == []


@pytest.mark.parametrize(
    "message",
    [
        "I have to update the website every Monday, it's so boring",
        "I keep forgetting to change the prices on our website",
        "the printer is always broken and nobody tells me",
        "the supplier's prices change without notice, it's all in a Google sheet",
        "can you tell me if my website goes down?",
    ],
)
def test_other_words_get_no_offer_to_watch_a_page(message: str) -> None:
    said = Talk().classify_and_answer(message).text
    assert "every five minutes and tell you" not in said
    assert "look at that page every hour" not in said


def test_a_request_to_watch_a_page_is_asked_only_for_its_address() -> None:
    talk = Talk()
    talk.classify_and_answer("notify me on slack #ops whenever our webshop is down, check every 15 minutes")
    talk.classify_and_answer("shop.foo.example")
    (agent,) = talk.agents()
    assert agent.check is not None
    assert agent.schedule is not None
    assert agent.schedule.cron == "*/15 * * * *"
    assert agent.delivery.recipients == ("#ops",)


def test_a_page_is_watched_as_often_as_is_usual_where_words_only_tell_the_event() -> None:
    talk = Talk()
    talk.classify_and_answer(
        "I find out too late when they raise the fees. they're on https://fees.example/a"
    )
    talk.classify_and_answer("https://fees.example/a, whenever it changes")
    (agent,) = talk.agents()
    assert agent.schedule is not None
    assert agent.check is not None


@pytest.mark.parametrize(
    "trouble",
    [
        "The December concert's sold out and I refuse to sit here pressing F5 all day",
        "The course is full and I keep reloading the page in case a place comes free",
    ],
)
def test_a_page_that_somebody_keeps_reloading_is_watched_for_the_text_it_will_show(trouble: str) -> None:
    talk = Talk()

    assert "address" in talk.classify_and_answer(trouble).text
    talk.classify_and_answer('https://tickets.example/dez12 it\'ll say "Book now" if any come back')

    (agent,) = talk.agents()
    assert agent.check is not None
    assert agent.check.url == "https://tickets.example/dez12"
    assert agent.check.text == "Book now"
