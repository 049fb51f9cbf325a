"""Where other people's messages come in is a source, and no place for results."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    ("say", "source"),
    [
        (
            (
                "Every day parents mail absence notes to absences@stmarks.example and I type them into"
                " a sheet."
                " Could you list them for me at 8:45?"
            ),
            "absences@stmarks.example",
        ),
        (
            (
                "Customers email their orders to orders@shop.example all day. Please make me a summary every"
                " evening at 6"
            ),
            "orders@shop.example",
        ),
        ("Summarise what customers send to help@x.example every day at 9", "help@x.example"),
        (
            (
                "Requests come in at repairs@flat.example and I write them on a whiteboard. I'd like a"
                " list every"
                " morning at 7"
            ),
            "repairs@flat.example",
        ),
        (
            (
                "Tenants always send their meter readings to meters@flat.example. Can you report them"
                " to me on"
                " Fridays at 4?"
            ),
            "meters@flat.example",
        ),
    ],
)
def test_the_place_for_results_is_asked(say: str, source: str) -> None:
    talk = Talk()
    reply = talk.classify_and_answer(say)
    assert not talk.agents()
    assert "where should i send the results" in reply.text.lower()
    talk.classify_and_answer("here")
    [agent] = talk.agents()
    assert (agent.sources, agent.delivery.recipients) == ((source,), ())


@pytest.mark.parametrize(
    ("say", "recipient"),
    [
        ("make an agent that mails open invoices from Xero to a@b.example on Mondays at 9", "a@b.example"),
        (
            "Every Friday I mail the figures from Xero to boss@x.example. Can you do that at 4?",
            "boss@x.example",
        ),
        ("on weekdays post new orders from Shopify to #shop at 9", "#shop"),
        ("I need the weekly sales from Shopify sent to boss@x.example on Mondays at 9", "boss@x.example"),
        ("open tickets from Zendesk, mail them to ops@x.example daily at 9", "ops@x.example"),
        ("Mondays at 8 email the new leads from HubSpot to ana@x.example", "ana@x.example"),
        (
            (
                "Orders arrive at orders@shop.example and end up in Excel. Send me a list every morning at 8"
                " in #shop"
            ),
            "#shop",
        ),
    ],
)
def test_a_place_that_is_asked_for_gets_the_results(say: str, recipient: str) -> None:
    talk = Talk()
    talk.classify_and_answer(say)
    [agent] = talk.agents()
    assert agent.delivery.recipients == (recipient,)
