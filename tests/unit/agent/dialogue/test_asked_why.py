"""Questions why an agent keeps sending something, pages watched in a story, and cases to tell."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

HOURLY = {"cron": "0 * * * *", "time_zone": "UTC"}


@pytest.mark.parametrize(
    "question",
    [
        "Why in God's name am I getting a mail from spond-replies every bloody hour?",
        "why do I get spond-replies every hour",
        "why is spond-replies mailing me all the time?",
        "how come spond-replies mails me on sundays?",
        "why does spond-replies run so often?",
    ],
)
def test_why_an_agent_sends_is_answered_by_when_it_runs(question: str) -> None:
    talk = Talk()
    talk.create("spond-replies", "players who did not answer", schedule=HOURLY)

    said = talk.classify_and_answer(question)

    assert "every hour" in said.text
    assert not said.effects


@pytest.mark.parametrize(
    "question",
    [
        "why did spond-replies mail me?",
        "why is spond-replies not sending anything?",
        "why is spond-replies paused?",
    ],
)
def test_other_questions_for_a_reason_are_not_answered_by_the_schedule(question: str) -> None:
    talk = Talk()
    talk.create("spond-replies", "players who did not answer", schedule=HOURLY)

    assert "every hour" not in talk.classify_and_answer(question).text


@pytest.mark.parametrize(
    "message",
    [
        "it's always cheap. each 3 hours can you look at https://shop.example/a, say me here when it changes",
        "they always change it. can you check https://shop.example/a every 3 hours, tell me of changes here",
    ],
)
def test_a_page_is_watched_as_often_as_asked_whatever_is_told_before(message: str) -> None:
    talk = Talk()

    talk.classify_and_answer(message)

    (agent,) = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.cron == "0 */3 * * *"


def test_what_else_is_to_be_told_of_a_page_is_put_down_with_its_watch() -> None:
    talk = Talk()
    talk.classify_and_answer("watch https://shop.example/b every 3 hours and tell me here when it changes")

    said = talk.classify_and_answer("super. it must also say me when a colour is sold out there")

    assert "any change on the page" in said.text
    assert "sold out" in talk.agents()[0].what


@pytest.mark.parametrize(
    "message",
    [
        "super. it must also say me when a colour is sold out there",
        "it should also tell me when something is sold out",
        "and it must warn us if a size is sold out",
    ],
)
def test_a_case_to_tell_is_an_instruction_of_the_agent_talked_of(message: str) -> None:
    talk = Talk()
    talk.create("stock-watch", "stock of the shop", schedule=HOURLY)
    talk.classify_and_answer("show stock-watch")

    talk.classify_and_answer(message)

    assert "sold out" in talk.agents()[0].instructions
    assert "super" not in talk.agents()[0].instructions
