"""Questions about agents with slips in the words that ask."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def _talk() -> Talk:
    talk = Talk()
    talk.classify_and_answer(
        "Set up an agent lab-results that reads lab results from Epic every day at 7 am and mails a@b.example"
    )
    return talk


@pytest.mark.parametrize(
    "message",
    [
        "how mnay do i have all togther?",
        "and how many do I have all together?",
        "so hwo many are there now?",
        "how many have we got in total?",
        "how amny do we have altogehter?",
        "wich agnets do i have?",
        "whihc agents do i have agian?",
    ],
)
def test_agents_are_listed(message: str) -> None:
    assert _talk().classify_and_answer(message).text.startswith("You have 1 agent")


@pytest.mark.parametrize(
    "message",
    [
        "sory its been a long day.. cna you tell me wich of my agnets faild last nigth?",
        "did any of my agnets fail last nigth?",
    ],
)
def test_failures_are_told(message: str) -> None:
    text = _talk().classify_and_answer(message).text
    assert "ailed" in text or "nothing ran" in text


@pytest.mark.parametrize(
    "message",
    [
        "wich time does it run agian?",
        "waht time does it run?",
        "wehn does it run agian?",
        "at wich tiem does lab-results run?",
        "whats teh time it runs?",
    ],
)
def test_the_time_is_told(message: str) -> None:
    text = _talk().classify_and_answer(message).text
    assert "7:00 AM" in text
    assert "Epic" not in text
