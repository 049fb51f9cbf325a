"""The user's own address goes to the agents that lack one, and to no other without being asked."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

SAYINGS = [
    "My mail is dana@corewise.example",
    "my e-mail address is dana@corewise.example",
    "dana@corewise.example is my address",
    "you can reach me at dana@corewise.example",
    "mine is dana@corewise.example",
    "my email: dana@corewise.example, thanks",
]


@pytest.mark.parametrize("say", SAYINGS)
def test_the_agents_that_lack_an_address_get_it(say: str) -> None:
    talk = Talk()
    talk.classify_and_answer("churned accounts from HubSpot every Monday at 8 to me by mail")
    talk.classify_and_answer("overdue Jira tickets on weekdays at 9 to #eng")
    talk.classify_and_answer(say)
    recipients = {agent.sources[0]: agent.delivery.recipients for agent in talk.agents()}
    assert recipients == {"hubspot": ("dana@corewise.example",), "jira": ("#eng",)}


@pytest.mark.parametrize("say", SAYINGS)
def test_where_none_lacks_one_it_is_asked_first(say: str) -> None:
    talk = Talk()
    talk.classify_and_answer("overdue Jira tickets on weekdays at 9 to #eng")
    talk.classify_and_answer(say)
    [agent] = talk.agents()
    assert agent.delivery.recipients == ("#eng",)


@pytest.mark.parametrize(
    "say", ["send it to dana@corewise.example", "mail it to dana@corewise.example instead of slack"]
)
def test_a_command_moves_the_delivery(say: str) -> None:
    talk = Talk()
    talk.classify_and_answer("overdue Jira tickets on weekdays at 9 to #eng")
    talk.classify_and_answer(say)
    [agent] = talk.agents()
    assert agent.delivery.recipients == ("dana@corewise.example",)
