"""Names of agents and systems that end in figures, and names that a pronoun behind them means."""

from __future__ import annotations

import pytest

from agent.workspace.agents import AgentStatus
from tests.fakes.data.chat_session import Talk


def with_agents(*names: str) -> Talk:
    talk = Talk()
    for name in names:
        talk.create(name, f"the numbers for {name}")
    return talk


@pytest.mark.parametrize(
    ("message", "paused"),
    [
        ("pause old-bids and test2.", {"old-bids", "test2"}),
        ("pause zendesk-closed-agent and test2", {"zendesk-closed-agent", "test2"}),
        ("please pause test2, old-bids", {"old-bids", "test2"}),
    ],
)
def test_every_agent_of_a_row_is_paused(message: str, paused: set[str]) -> None:
    talk = with_agents("old-bids", "test2", "zendesk-closed-agent")

    talk.classify_and_answer(message)

    assert {one.name for one in talk.agents() if one.status is AgentStatus.PAUSED} == paused


def test_a_pronoun_behind_a_name_means_the_agent_with_the_name() -> None:
    talk = with_agents("report1", "report2")

    said = talk.classify_and_answer("report1 is a daft name, call it pool-chlorine")

    assert said.text == "report1 is now called pool-chlorine."
    assert {one.name for one in talk.agents()} == {"pool-chlorine", "report2"}


@pytest.mark.parametrize(
    ("words", "source"),
    [
        ("the SKUs under minimum in Cin7", "cin7"),
        ("late deliveries per carrier, out of project44", "project44"),
        ("the loads that were late from project44", "project44"),
    ],
)
def test_a_system_keeps_the_figures_of_its_name(words: str, source: str) -> None:
    talk = Talk()
    talk.classify_and_answer(f"every day at 6:30 am list {words}, here")

    assert talk.agents()[0].sources == (source,)


def test_the_channel_that_is_corrected_is_not_written_to() -> None:
    talk = Talk()
    talk.classify_and_answer(
        "want the SKUs that are under minimum in Cin7, daily 6:30 am, posted in slack. #ops-daily. hmm wait,"
        " half the crew isnt in there. make it #floor"
    )

    assert talk.agents()[0].delivery.recipients == ("#floor",)
