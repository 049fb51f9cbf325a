"""Agents that aren't wanted any more, right after one was made: which of them are to go."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

LEADS = "every Monday at 9 send new leads from HubSpot to sales@acme.example"
TICKETS = "every Friday at 10 send open tickets from Zendesk to support@acme.example"
BOTH = {"hubspot-leads-agent", "zendesk-open-agent"}


def names(talk: Talk) -> set[str]:
    return {agent.name for agent in talk.agents()}


@pytest.mark.parametrize(
    "say",
    [
        "Get rid of hubspot-leads-agent and zendesk-open-agent, I don't need them",
        "Get rid of the leads one and the tickets one, I don't need them any more",
        "scrap them both, don't need them",
        "can you remove both agents? I don't want them",
        "I don't need either of them after all",
    ],
)
def test_all_that_are_named_go_after_a_yes(say: str) -> None:
    talk = Talk()
    talk.classify_and_answer(LEADS)
    talk.classify_and_answer(TICKETS)
    assert "Shall I delete hubspot-leads-agent and zendesk-open-agent?" in talk.classify_and_answer(say).text
    assert names(talk) == BOTH
    talk.classify_and_answer("yes")
    assert names(talk) == set()


@pytest.mark.parametrize("say", ["bin parcels, I don't want it anymore", "forget parcels, don't need it"])
def test_another_one_that_is_named_is_asked_about_and_the_new_one_stays(say: str) -> None:
    talk = Talk()
    talk.create("parcels")
    talk.classify_and_answer(LEADS)
    talk.classify_and_answer(say)
    assert "hubspot-leads-agent" in names(talk)


@pytest.mark.parametrize("say", ["I don't need it after all", "never mind, I don't need them", "scrap that"])
def test_the_new_one_goes_at_once_where_no_other_is_named(say: str) -> None:
    talk = Talk()
    talk.create("parcels")
    talk.classify_and_answer(LEADS)
    talk.classify_and_answer(say)
    assert names(talk) == {"parcels"}
