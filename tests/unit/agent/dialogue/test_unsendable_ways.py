"""Ways that results can't go: they are named, what can be had is offered, and the rest stays."""

from __future__ import annotations

import pytest

from agent.workspace.delivery_targets import Channel
from intent.acts.unsendable_ways import find_unsendable
from tests.fakes.data.chat_session import Talk

OFFER = "by e-mail, to Slack or here?"


@pytest.mark.parametrize(
    ("words", "way"),
    [
        ("check https://x.example every 15 min, text me if its down", "text message"),
        ("hubspot leads every morning 7, whatsapp", "WhatsApp"),
        ("every 2 hours check salesforce for new deals, phone me", "phone"),
        ("the new contracts each Friday, and sends me a text message", "text message"),
        ("get the news of our blog and send to my phone", "phone"),
        ("telegram?", "Telegram"),
        ("ping me on signal", "Signal"),
        ("daily summary of slack #general at 6pm to my pager", "pager"),
        ("every 30 minutes, notify via SMS.", "text message"),
        ("call me when it's slow", "phone"),
        ("give me a call when it drops", "phone"),
        ("can u whatsapp me the list", "WhatsApp"),
        ("i want a push notification on my phone", "phone"),
        ("actually dm me instead", "direct message"),
        ("by fax please", "fax"),
    ],
)
def test_a_way_that_nothing_is_sent_by_is_found(words: str, way: str) -> None:
    found = find_unsendable(words)
    assert found is not None
    assert found.name == way


@pytest.mark.parametrize(
    "words",
    [
        "watch new messages in whatsapp and mail me",
        "list the missed calls from our phone system every morning by mail",
        "call it phone-watch",
        "the text of the report should be short",
        "every monday, the phone bills from Dropbox to a@b.co",
        "how many phone orders we had, from shopify, here",
        "summarise the telegram channel daily, here",
        "the call list from hubspot, weekdays at 8, mail",
        "who has to call the customer, daily at 9 here",
        "texts that clients sent, from twilio, by mail",
        "the signal strength report from airtable daily to #ops",
        "one page summary of the sales by mail",
    ],
)
def test_the_same_words_about_something_else_are_none(words: str) -> None:
    assert find_unsendable(words) is None


def test_a_request_keeps_all_but_the_way() -> None:
    talk = Talk()
    said = talk.classify_and_answer("every 2 hours check salesforce for new deals, phone me")
    assert said.text.startswith(
        "I can't call or write to a phone. OK: new deals, from Salesforce, every 2 hours."
    )
    assert said.text.endswith(OFFER)
    talk.classify_and_answer("hm, ok here")
    [agent] = talk.agents()
    assert (agent.what, agent.delivery.channels) == ("new deals", (Channel.CONVERSATION,))


def test_a_check_of_an_address_asks_where_to_instead() -> None:
    talk = Talk()
    said = talk.classify_and_answer("check https://status.acme.example every 15 min, text me if its down")
    assert "I can't send text messages." in said.text
    assert talk.agents() == []
    talk.classify_and_answer("ok slack then")
    [agent] = talk.agents()
    assert Channel.SLACK in agent.delivery.channels


def test_an_answer_with_another_such_way_is_asked_again() -> None:
    talk = Talk()
    talk.classify_and_answer("every day at 9 get the news of our blog from RSS and send it to my phone")
    said = talk.classify_and_answer("telegram?")
    assert said.text == f"I can't send to Telegram. Where should I send the results: {OFFER}"


def test_a_way_beside_one_that_works_is_named_and_the_agent_saved() -> None:
    talk = Talk()
    said = talk.classify_and_answer(
        "overdue invoices from xero, mondays at 9, by sms and by mail to ops@acme.example"
    )
    assert said.text.startswith("I can't send text messages. Saved:")
    [agent] = talk.agents()
    assert agent.delivery.recipients == ("ops@acme.example",)


@pytest.mark.parametrize(
    "say", ["text me instead", "no, sms please", "can you whatsapp me too", "dm me instead"]
)
def test_a_change_to_such_a_way_changes_nothing_and_asks(say: str) -> None:
    talk = Talk()
    talk.classify_and_answer("overdue invoices from xero mondays at 9 mail to ops@acme.example")
    said = talk.classify_and_answer(say)
    assert said.text.startswith("I can't send ")
    assert "still mails ops@acme.example. Should it go by e-mail, to Slack or here instead?" in said.text
    talk.classify_and_answer("slack then")
    [agent] = talk.agents()
    assert Channel.SLACK in agent.delivery.channels
