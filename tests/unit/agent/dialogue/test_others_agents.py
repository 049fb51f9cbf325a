"""The agents that others share are listed to whoever asks to see them; only their owners change them."""

from __future__ import annotations

import pytest

from agent.workspace.agents import AgentSpec
from conversation.identity import Caller
from storage.keys import TenantId
from tests.fakes.data.chat_session import Talk


def talk_beside_lena() -> Talk:
    talk = Talk()
    spec = AgentSpec.model_validate({"name": "instagram-likes", "what": "new likes", "shared": True})
    talk.store.create(Caller(TenantId("acme"), "lena"), spec)
    return talk


@pytest.mark.parametrize(
    "question",
    [
        "my niece Lena helps me this summer and she has put agents too. i can see which ones?",
        "can I see the agents of my team?",
        "can I see which agents she made?",
        "can we see what bots the others have?",
        "which agents has Lena made?",
    ],
)
def test_the_agents_of_others_are_listed(question: str) -> None:
    assert "instagram-likes" in talk_beside_lena().classify_and_answer(question).text


@pytest.mark.parametrize(
    "question", ["can my boss see my agents?", "can others see my agents?", "can I see other people's chats?"]
)
def test_what_others_see_is_no_list(question: str) -> None:
    assert "instagram-likes" not in talk_beside_lena().classify_and_answer(question).text


@pytest.mark.parametrize(
    "question",
    [
        "and if i want one day to stop this, i can do it or only her?",
        "can I stop an agent that Lena made?",
        "who can delete a shared agent?",
        "can I pause her agent?",
    ],
)
def test_only_the_owner_stops_an_agent(question: str) -> None:
    talk = talk_beside_lena()

    said = talk.classify_and_answer(question)

    assert "Only its owner" in said.text
    assert not said.effects
