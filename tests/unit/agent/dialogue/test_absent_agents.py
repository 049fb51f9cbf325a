"""An agent that words describe and that doesn't exist is said not to exist; no other one takes its place."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Agent
from tests.fakes.data.chat_session import Talk


def talk_with(*names: tuple[str, str, str]) -> Talk:
    talk = Talk()
    for name, what, source in names:
        talk.create(
            name, what, sources=(source,), schedule={"cron": "0 9 * * 1-5", "time_zone": "UTC"},
            delivery={"channels": ("slack",), "recipients": ("#eng",)},
        )  # fmt: skip
    return talk


ZENDESK = ("zendesk-sla-breaches-agent", "SLA breaches", "zendesk")
HUBSPOT = ("hubspot-churn", "churned accounts", "hubspot")


def state(talk: Talk) -> list[Agent]:
    return sorted(talk.agents(), key=lambda agent: agent.name)


@pytest.mark.parametrize(
    ("say", "words"),
    [
        ("move the Jira one to 9:30", "Jira"),
        ("pause the Salesforce one", "Salesforce"),
        ("Could you run the xero agent", "xero"),
        ("share my invoice agent", "invoice"),
        ("delete the weather bot", "weather"),
        ("send the parcel one to #ops instead", "parcel"),
        ("is the Jira one paused?", "Jira"),
        ("stop the late orders agent please", "late orders"),
    ],
)
def test_a_described_agent_that_is_not_there_is_not_replaced_by_the_only_one(say: str, words: str) -> None:
    talk = talk_with(ZENDESK)
    before = state(talk)
    reply = talk.classify_and_answer(say)
    assert state(talk) == before
    assert f"“{words}”" in reply.text


@pytest.mark.parametrize(
    "say",
    [
        "delete everything except the Jira one",
        "delete everything except Jira",
        "pause all but the jira agent",
        "delete all agents apart from the Salesforce one",
    ],
)
@pytest.mark.parametrize("names", [(ZENDESK,), (ZENDESK, HUBSPOT)])
def test_nothing_is_done_to_the_rest_when_what_to_leave_out_is_not_there(
    say: str, names: tuple[tuple[str, str, str], ...]
) -> None:
    talk = talk_with(*names)
    before = state(talk)
    reply = talk.classify_and_answer(say)
    talk.classify_and_answer("yes")
    assert state(talk) == before
    assert "I don't see an agent for" in reply.text


@pytest.mark.parametrize(
    "say",
    [
        "pause the zendesk one", "pause the zendesck one", "pause the sla one", "pause the breaches",
        "pause the agent", "pause the first one", "pause the morning one", "pause that noisy one",
        "pause the SLA agent until Friday",
    ],
)  # fmt: skip
def test_words_that_fit_mean_the_one_there_is(say: str) -> None:
    talk = talk_with(ZENDESK)
    talk.classify_and_answer(say)
    [agent] = talk.agents()
    assert agent.status == "paused"


def test_a_yes_takes_the_one_that_was_offered() -> None:
    talk = talk_with(ZENDESK)
    talk.classify_and_answer("pause the Salesforce one")
    talk.classify_and_answer("yes")
    [agent] = talk.agents()
    assert agent.status == "paused"
