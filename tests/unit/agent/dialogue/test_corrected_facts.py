"""A value that is given again with an excuse behind it takes the place of the one just told."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    ("told", "correction", "question", "value"),
    [
        (
            "note for later, the Okafor couple wants peonies and their flower budget is 3800",
            "4800 sorry, fat fingers", "what's their flower budget again?", "4800",
        ),
        ("remember the gate code is 4471", "4417 sorry, typo", "what's the gate code?", "4417"),
        ("fyi the van holds 12 people", "14, my mistake sorry", "how many people does the van hold?", "14"),
        (
            "fyi Ilse prefers Tuesdays", "Thursdays sorry, my mistake", "what does Ilse prefer?",
            "Thursdays",
        ),
        ("remember that the deposit is 300", "350 oops", "what's the deposit?", "350"),
    ],
)  # fmt: skip
def test_a_value_with_an_excuse_corrects_what_was_told(
    told: str, correction: str, question: str, value: str
) -> None:
    talk = Talk()
    talk.classify_and_answer(told)
    talk.classify_and_answer(correction)

    assert value in talk.classify_and_answer(question).text


@pytest.mark.parametrize("message", ["sorry, I have to go", "3 more to come", "sorry for the delay"])
def test_other_words_behind_a_fact_change_nothing(message: str) -> None:
    talk = Talk()
    talk.classify_and_answer("remember the gate code is 4471")
    talk.classify_and_answer(message)

    said = talk.classify_and_answer("what's the gate code?").text
    assert "4471" in said
    assert "changed" not in said
