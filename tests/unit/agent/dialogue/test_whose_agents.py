"""Questions about whose agents people see, and questions with a doubt behind them."""

from __future__ import annotations

import pytest

from intent.acts.doubting_tails import without_doubting_tail
from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    "question",
    [
        "Before I let them loose: will they see one another's agents, or each only what he made himself?",
        "will people see each other's agents?",
        "can my colleagues see the agents that I make?",
        "are agents private by default?",
        "if Jo makes an agent, can I see it?",
    ],
)  # fmt: skip
def test_people_see_their_own_agents_and_those_that_are_shared(question: str) -> None:
    reply = Talk().classify_and_answer(question).text
    assert reply.startswith("Everybody sees only their own agents")


def test_whether_agents_read_each_others_results_is_another_question() -> None:
    reply = Talk().classify_and_answer("can one agent see another agent's results?").text
    assert reply.startswith("Not directly")


@pytest.mark.parametrize(
    "question",
    [
        "do you even have access to our Mailchimp or is that just something from the ad?",
        "can you read Mailchimp or is that only a sales pitch?",
        "can you read Mailchimp, or is this just marketing?",
        "can you read Mailchimp or not?",
    ],
)
def test_a_doubt_behind_a_question_is_no_part_of_it(question: str) -> None:
    assert "Mailchimp isn't" in Talk().classify_and_answer(question).text


@pytest.mark.parametrize(
    "question",
    [
        "does rota run on Sundays or is it just weekdays?",
        "is it for sales or is it for marketing people?",
        "should I order ads or is that too early?",
    ],
)
def test_a_real_alternative_stays(question: str) -> None:
    assert without_doubting_tail(question) == question
