"""Amounts that a person tells and corrects later: what is quoted and worked out of them."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

DOSE = "Biscuit, the Harpers' spaniel, is on 12 mg twice a day."
DOSE_CORRECTED = "sorry, read the wrong line. Biscuit is on 21 mg, not 12"
GUESTS = "For the Annika & Tom wedding we have 84 guests, room is the orangery"
GUESTS_CORRECTED = "just had a call, it's 94, not 84."
PERMIT = "our parking permit is 31 euro"
RATE = "Decided with Olu today: our day rate goes up from 420 to 455, starting 1 May."
METER = "The water meter in house B reads 48213 today."


def said(*messages: str) -> list[str]:
    talk = Talk()
    return [talk.classify_and_answer(message).text for message in messages]


@pytest.mark.parametrize(
    ("told", "correction"),
    [(DOSE, DOSE_CORRECTED), (GUESTS, GUESTS_CORRECTED), (PERMIT, "the permit is 13 euro, not 31")],
)
def test_a_correction_of_what_was_told_is_noted(told: str, correction: str) -> None:
    answer = said(told, correction)[-1]

    assert "nothing" not in answer
    assert "?" not in answer
    assert "remember" in answer or "Noted" in answer or "mind" in answer


@pytest.mark.parametrize(
    ("told", "correction", "question", "corrected"),
    [
        (DOSE, DOSE_CORRECTED, "which dose did I tell you for Biscuit in the end?", "21 mg"),
        (GUESTS, GUESTS_CORRECTED, "how many guests is it now, for Annika and Tom?", "94"),
        (PERMIT, "the permit is 13 euro, not 31", "what is the parking permit at the moment?", "13 euro"),
    ],
)
def test_the_corrected_amount_is_told(told: str, correction: str, question: str, corrected: str) -> None:
    answer = said(told, correction, question)[-1]

    assert corrected in answer
    assert "don't find" not in answer


@pytest.mark.parametrize(
    "question",
    ["what had I said at first?", "what did I say first about the parking permit?",
     "what did I originally tell you about the permit?"],
)  # fmt: skip
def test_what_was_said_before_a_correction_is_told(question: str) -> None:
    greeting = "hello, my name is Ann and I run a kennel"
    answer = said(greeting, PERMIT, "no wait, 13 euro, not 31", question)[-1]

    assert "31 euro" in answer
    assert "kennel" not in answer


def test_a_correction_of_another_amount_changes_nothing() -> None:
    answer = said(PERMIT, "the gym has 12 lockers", "it's 14 lockers, not 12", "what is the parking permit?")[
        -1
    ]

    assert "31 euro" in answer
    assert "14" not in answer


@pytest.mark.parametrize(
    ("messages", "result"),
    [
        ((GUESTS, GUESTS_CORRECTED, "how many guests is it now, for Annika and Tom?",
          "and what does that come to at 58.50 a head?"), "94 × 58.50 = 5,499"),
        ((GUESTS, GUESTS_CORRECTED, "what does that come to at 58.50 a head?"), "94 × 58.50 = 5,499"),
        ((RATE, "what's 12 days at the new one"), "12 days × 455 = 5,460"),
        ((RATE, "what's 12 days at the old rate?"), "12 days × 420 = 5,040"),
        ((RATE, "what's 12 days at the new one", "and at the old rate?"), "12 days × 420 = 5,040"),
        ((METER, "Next month I expect 48500. How much is 48500 minus that?"), "48,500 − 48,213 = 287"),
        ((METER, "how much is 48500 minus that?"), "48,500 − 48,213 = 287"),
        ((PERMIT, "no wait, 13 euro, not 31", "what is the parking permit?", "what's 12 times that?"),
         "= €156"),
    ],
)  # fmt: skip
def test_a_sum_takes_the_amount_that_holds_now(messages: tuple[str, ...], result: str) -> None:
    assert result in said(*messages)[-1]


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("our season starts on 1 May", "what's 12 days at the new one"),
        ("we have 84 chairs and 12 tables", "how much is 3 times that?"),
    ],
)
def test_no_sum_is_made_where_nothing_says_which_amount_is_meant(told: str, question: str) -> None:
    assert " = " not in said(told, question)[-1]
