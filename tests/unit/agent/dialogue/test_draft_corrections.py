"""Messages that put one thing in place of another while an agent is being set up, and what they change."""

from __future__ import annotations

import pytest

from intent.acts.contrasts import read_contrast
from tests.fakes.data.chat_session import Talk


def set_up(request: str, *corrections: str) -> Talk:
    talk = Talk()
    for said in (request, *corrections, "here"):
        talk.classify_and_answer(said)
    return talk


@pytest.mark.parametrize(
    "correction",
    [
        "argh no. faild payments i ment, not payouts",
        "no wait, failed payments I meant, not payouts",
        "sorry, I meant failed payments",
        "not payouts, failed payments",
        "failed payments, not payouts",
        "failed payments instead of payouts please",
        "oops, not payouts. failed payments",
    ],
)
def test_the_job_of_an_unfinished_agent_is_replaced(correction: str) -> None:
    [agent] = set_up("evry day at 8am sho me the stripe payuots", correction).agents()
    assert (agent.what, agent.sources) == ("failed payments", ("stripe",))
    assert agent.schedule is not None
    assert agent.schedule.cron == "0 8 * * *"


@pytest.mark.parametrize(
    ("correction", "what", "source", "cron"),
    [
        ("not Mondays, Tuesdays", "new leads", "hubspot", "0 9 * * 2"),
        ("Tuesdays, not Mondays", "new leads", "hubspot", "0 9 * * 2"),
        ("not HubSpot, Salesforce", "new leads", "salesforce", "0 9 * * 1"),
        ("Salesforce instead of HubSpot", "new leads", "salesforce", "0 9 * * 1"),
        ("deals, not leads", "new deals", "hubspot", "0 9 * * 1"),
        ("not by mail", "new leads", "hubspot", "0 9 * * 1"),
        ("not sure yet", "new leads", "hubspot", "0 9 * * 1"),
    ],
)
def test_only_the_part_that_is_corrected_changes(correction: str, what: str, source: str, cron: str) -> None:
    [agent] = set_up("every Monday at 9 list new leads from HubSpot", correction).agents()
    assert agent.schedule is not None
    assert (agent.what, agent.sources, agent.schedule.cron) == (what, (source,), cron)


@pytest.mark.parametrize(
    "message",
    ["by mail to jo@shop.co and not on Slack, thanks, that would be so much better for everybody here",
     "that's not it", "yes", "Mondays at 9", "what do you mean?"],
)  # fmt: skip
def test_other_messages_put_nothing_in_place_of_anything(message: str) -> None:
    contrast = read_contrast(message)
    assert contrast is None or not contrast.unwanted or not contrast.wanted
