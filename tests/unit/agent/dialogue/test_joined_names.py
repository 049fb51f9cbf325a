"""Names that are joined mean all that they name, and a reason names nothing."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def _paused(message: str) -> list[str]:
    talk = Talk()
    for name in ("old-bids", "rent", "parcels"):
        talk.create(name, f"{name} of the week")
    talk.classify_and_answer(message)
    return sorted(agent.name for agent in talk.agents() if agent.status == "paused")


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("please switch off old-bids and rent", ["old-bids", "rent"]),
        ("please pause old-bids, rent and parcels", ["old-bids", "parcels", "rent"]),
        ("pause parcels, because rent does that already", ["parcels"]),
    ],
)
def test_joined_names_are_all_meant(message: str, names: list[str]) -> None:
    assert _paused(message) == names


@pytest.mark.parametrize(
    "question",
    ["If I come back next week, will you still know what I told you today?",
     "And do you remember what I write to you, say, next week?"],
)  # fmt: skip
def test_whether_words_are_kept_is_a_question_about_the_product(question: str) -> None:
    assert "kept" in Talk().classify_and_answer(question).text
