"""What is said when somebody leaves, or is called away, while an agent is being set up."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

_BEGUN = "hi, I want a report on deliveries that came short. we log them in Airtable"


def _talk() -> Talk:
    talk = Talk()
    assert "When should it run" in talk.classify_and_answer(_BEGUN).text
    return talk


@pytest.mark.parametrize(
    "message",
    [
        "That will be all, thank you.",
        "that's all for today, cheers",
        "bye",
        "Goodbye then!",
        "ok that is it for now, thanks",
        "that's everything, thank you very much",
        "I'm off now, thanks",
        "see you tomorrow",
        "right, good night",
        "thanks, that's all I wanted",
    ],
)
def test_a_farewell_leaves_the_unfinished_agent_waiting(message: str) -> None:
    talk = _talk()
    reply = talk.classify_and_answer(message)
    assert reply.text.startswith("Bye!")
    assert "waits" in reply.text
    assert "?" not in reply.text
    assert talk.classify_and_answer("go on").text.startswith("OK: a report on deliveries")


@pytest.mark.parametrize(
    "message",
    [
        "hang on, customer",
        "hold on a sec",
        "one moment please",
        "just a minute, doorbell",
        "wait, somebody's here",
        "hang on",
        "two secs, patient coming in",
        "give me a minute",
    ],
)
def test_who_is_called_away_is_asked_the_open_question_again(message: str) -> None:
    reply = _talk().classify_and_answer(message)
    assert reply.text.startswith(("Take your time.", "No problem."))
    assert "remark" not in reply.text
    assert "not sure" not in reply.text


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("hang on, make that Mondays at 8", "where should I send"),
        ("Mondays at 8 am, that's all", "where should I send"),
        ("hold on, by mail to bo@quay.example", "When should it run"),
    ],
)
def test_what_answers_the_question_is_taken(message: str, expected: str) -> None:
    assert expected.lower() in _talk().classify_and_answer(message).text.lower()


def test_why_somebody_is_called_away_is_no_part_of_the_job() -> None:
    talk = Talk()
    talk.classify_and_answer("I need a list of the open lift faults out of Planon every week")
    talk.classify_and_answer("argh sorry, fire alarm test, one second")
    talk.classify_and_answer("right, back. Fridays at 8:30 am, mail it to facilities@kingsgate.co.uk")
    [agent] = talk.agents()
    assert "alarm" not in agent.brief
    assert agent.sources == ("planon",)
