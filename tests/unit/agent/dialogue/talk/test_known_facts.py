"""Questions what is known of the user altogether, and the tasks of a week that is over."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    "question",
    ["tell me what you know about me", "what do you know about me?", "what have I told you so far?"],
)
def test_what_was_told_to_be_kept_is_listed(question: str) -> None:
    talk = Talk()
    talk.classify_and_answer("my van is a green Transit, plate KX19 ZPO")
    talk.classify_and_answer("remember that my daughter is allergic to nuts")
    talk.classify_and_answer("what's 3 times 14?")

    said = talk.classify_and_answer(question).text

    assert "KX19 ZPO" in said
    assert "allergic to nuts" in said
    assert "3 times" not in said


def test_who_told_nothing_is_told_so() -> None:
    assert "nothing to keep in mind" in Talk().classify_and_answer("what do you know about me?").text


def test_a_question_with_a_subject_is_about_that() -> None:
    talk = Talk()
    talk.classify_and_answer("my van is a green Transit, plate KX19 ZPO")

    assert "KX19 ZPO" in talk.classify_and_answer("what did I tell you about my van?").text


def test_on_a_sunday_this_week_goes_on_into_the_next() -> None:
    talk = Talk()
    sunday = datetime(2026, 3, 8, 10, tzinfo=UTC)
    talk.clock.advance((sunday - talk.clock.now()).total_seconds())
    talk.classify_and_answer("add a task: file the VAT return by Tuesday")

    assert "file the VAT return" in talk.classify_and_answer("what have I got this week").text
