"""People who don't know what to ask for: the trouble they tell becomes the job, in any order."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.fakes.data.chat_session import Talk

_A_DAY_S = timedelta(days=1).total_seconds()


@pytest.mark.parametrize(
    ("unsure", "parts", "job", "source", "cron"),
    [
        (
            "not sure what to ask for to be honest. people keep cancelling at the last minute",
            ("me again. the bookings are in Mindbody", "mondays at 7am please", "mail it to kim@studio.co"),
            "people keep cancelling at the last minute", "mindbody", "0 7 * * 1",
        ),
        (
            "hmm I can't put my finger on it. something about our stock is always wrong",
            ("at 6 in the morning, daily", "it's in a google sheet", "slack, #stock"),
            "our stock is always wrong", "google sheets", "0 6 * * *",
        ),
        (
            "something with late payers I guess, not sure",
            ("monday mornings at 9", "to me, by mail: ana@clinic.co", "Xero has it all"),
            "late payers", "xero", "0 9 * * 1",
        ),
        (
            "I don't know where to start",
            ("invoices. people pay late", "QuickBooks", "tuesdays at 10", "send it to kofi@shop.co"),
            "people pay late", "quickbooks", "0 10 * * 2",
        ),
        (
            "I'm not sure what I need. My problem is that deliveries arrive late and nobody tells me",
            ("each weekday at 7:30", "it's all in ShipStation", "just tell me here"),
            "deliveries arrive late and nobody tells me", "shipstation", "30 7 * * 1-5",
        ),
        (
            "I don't really know what I want, we just drown in returns",
            ("it's all in Shopify", "every morning at 8", "here in the chat"),
            "drown in returns", "shopify", "0 8 * * *",
        ),
        (
            "no clue what to ask. what would you suggest for a bakery?",
            ("orders, mostly. they come in through Square", "weekdays at 6am", "let me know here"),
            "orders", "square", "0 6 * * 1-5",
        ),
    ],
)  # fmt: skip
def test_the_trouble_is_the_job(
    unsure: str, parts: tuple[str, ...], job: str, source: str, cron: str
) -> None:
    talk = Talk()
    talk.classify_and_answer(unsure)
    talk.clock.advance(_A_DAY_S)
    for part in parts:
        talk.classify_and_answer(part)

    (agent,) = talk.agents()
    assert agent.what == job
    assert source in agent.sources
    assert agent.schedule is not None
    assert agent.schedule.cron == cron
    assert job in agent.brief


@pytest.mark.parametrize(
    "message",
    [
        "thanks anyway", "never mind", "what's 12 x 8", "remind me to call Ana tomorrow",
        "what agents do I have", "dunno, you tell me", "bye for now",
        "scaffold inspection has to be done by next Wednesday the 25th",
    ],
)  # fmt: skip
def test_what_tells_no_part_begins_no_agent(message: str) -> None:
    talk = Talk()
    talk.classify_and_answer("I don't really know what I need")

    assert talk.classify_and_answer(message).note.draft is None


def test_who_was_never_unsure_gets_no_agent_of_a_remark() -> None:
    talk = Talk()
    talk.classify_and_answer("hello")

    assert talk.classify_and_answer("people pay late these days").note.draft is None


@pytest.mark.parametrize(
    ("unsure", "wish", "job", "source"),
    [
        (
            ("I was told you can save me time but I've no idea where to begin. I mostly do our Gift Aid"
             " claims, in a Google sheet."),
            "Well, telling me which donors haven't sent in their declaration would be a help.",
            "which donors haven't sent in their declaration", "google sheets",
        ),
        (
            "My son says you can help but I don't know how. I look after the club memberships, in Excel.",
            "Hm, letting me know who hasn't paid yet would be lovely.",
            "who hasn't paid yet", "excel",
        ),
        (
            ("Hiya, sorry if this is a stupid question. Half my Saturdays somebody just doesn't turn up, and"
             " by the time I find out who it was the chair's been empty an hour. It's all in Phorest. Is"
             " there anything you could do with that?"),
            "a list of the people who missed their appointment, that'd be grand",
            "a list of the people who missed their appointment", "phorest",
        ),
    ],
)  # fmt: skip
def test_what_would_help_is_asked_for(unsure: str, wish: str, job: str, source: str) -> None:
    talk = Talk()
    assert "Shall I set that up?" in talk.classify_and_answer(unsure).text
    talk.classify_and_answer(wish)
    talk.classify_and_answer("just here, Saturdays at 6 in the evening, after we close")
    [agent] = talk.agents()
    assert (agent.what, tuple(agent.sources)) == (job, (source,))
    assert agent.schedule is not None
    assert agent.schedule.cron == "0 18 * * 6"


@pytest.mark.parametrize(
    "ask", ["What sort of thing could you do with that?", "is there anything you can do about it?"]
)
def test_what_could_be_done_about_what_was_told_is_no_question_on_tasks_or_costs(ask: str) -> None:
    talk = Talk()
    talk.classify_and_answer("I've no idea what you're for. We keep our orders in Airtable.")
    said = talk.classify_and_answer(ask).text
    assert said.startswith("An agent could look in Airtable for you")
