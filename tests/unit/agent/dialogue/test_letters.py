"""Requests inside letters: salutation, good wishes, closing phrases and signature say nothing of them."""

from __future__ import annotations

import pytest

from agent.workspace.agents import AgentStatus
from intent.acts.letters import blank_letter
from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    ("message", "source", "cron", "recipient"),
    [
        (
            (
                "Dear team,\n\nHope you are doing well. Kindly arrange one automated report of open purchase"
                " orders"
                " from NetSuite, every Monday 8:30 AM, to be mailed to po@acme.in. Please do the"
                " needful.\n\nRegards,"
                "\nMilind"
            ),
            "netsuite", "30 8 * * 1", "po@acme.in",
        ),
        (
            (
                "Hello,\n\nI trust this finds you well. Please could you set up a weekly summary of overdue"
                " invoices"
                " from Xero, every Friday at 4 pm, sent to ar@acme.io.\n\nKind regards,\nJoanna"
            ),
            "xero", "0 16 * * 5", "ar@acme.io",
        ),
        (
            (
                "Hi,\n\nJust following up on the below. Can you please arrange for a report of unpaid"
                " bills from QuickBooks on the 1st of each month at 9am? It should go to boss@acme.io."
                "\n\nMany thanks,\nLiz"
            ),
            "quickbooks", "0 9 1 * *", "boss@acme.io",
        ),
        (
            (
                "Dear Support,\nI hope this message finds you well. Would it be possible to get the open"
                " tickets from"
                " Zendesk every weekday at 9, to help@acme.io?\nLooking forward to hearing from you.\nWarm"
                " regards,"
                "\nElena"
            ),
            "zendesk", "0 9 * * 1-5", "help@acme.io",
        ),
    ],
)  # fmt: skip
def test_an_agent_is_set_up_from_a_letter(message: str, source: str, cron: str, recipient: str) -> None:
    talk = Talk()
    talk.classify_and_answer(message)
    (agent,) = talk.agents()
    assert agent.schedule is not None
    assert (agent.sources, agent.schedule.cron, agent.delivery.recipients) == ((source,), cron, (recipient,))


def test_a_letter_pauses_an_agent_and_its_signature_is_not_read() -> None:
    talk = Talk()
    talk.create("debtor-list")
    talk.classify_and_answer(
        "Good morning team,\n\nwhen you have a moment, please pause debtor-list until further"
        " notice.\n\nBest,\nSara"
    )
    assert talk.agents()[0].status is AgentStatus.PAUSED


def test_a_letter_addressed_to_somebody_else_moves_nothing() -> None:
    talk = Talk()
    talk.create("debtor-list")
    talk.classify_and_answer(
        "What do you make of this?\n\nDear Ms Maya,\n\nplease pause debtor-list today.\n\nRegards,\nP."
        " Halloran"
    )
    assert talk.agents()[0].status is AgentStatus.ACTIVE


@pytest.mark.parametrize(
    "message",
    [
        "Dear team, hope you are well. Regards, Ana",
        "I hope you can send me the open orders at 9",
        "Best Buy returns every Monday",
        "thanks to Shopify we have orders, mail me the new ones daily",
    ],
)
def test_words_that_are_no_frame_of_a_letter_stay(message: str) -> None:
    assert blank_letter(message).split() == message.split()
