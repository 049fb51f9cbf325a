"""Words that only name the next run ask for its time, and start nothing."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Schedule
from tests.fakes.data.chat_session import Talk

_MONDAYS = Schedule(cron="0 9 * * 1", time_zone="UTC", text="as now")


@pytest.mark.parametrize(
    "question",
    [
        "next fire, in UTC?",
        "next run of vuln-digest, in UTC?",
        "next run?",
        "next firing?",
        "and the next run for vuln-digest?",
        "next run at 9?",
        "next run on Friday?",
    ],
)
def test_a_question_that_names_the_next_run_is_answered_with_its_time(question: str) -> None:
    talk = Talk()
    talk.create("vuln-digest", "vulns", schedule=_MONDAYS)
    talk.classify_and_answer("show vuln-digest")
    assert "next runs Monday" in talk.classify_and_answer(question).text


@pytest.mark.parametrize("question", ["next run?", "next fire?", "next fire, in UTC?"])
def test_a_first_question_for_the_next_run_starts_nothing(question: str) -> None:
    talk = Talk()
    talk.create("vuln-digest", "vulns", schedule=_MONDAYS)
    assert "next runs Monday" in talk.classify_and_answer(question).text


@pytest.mark.parametrize("message", ["fire vuln-digest", "run vuln-digest next?", "could you run it next?"])
def test_a_command_starts_a_run(message: str) -> None:
    talk = Talk()
    talk.create("vuln-digest", "vulns", schedule=_MONDAYS)
    talk.classify_and_answer("show vuln-digest")
    assert "Started vuln-digest" in talk.classify_and_answer(message).text


@pytest.mark.parametrize("question", ["next fire, in UTC?", "when does it run next, in UTC?"])
def test_the_next_run_is_told_in_the_zone_that_a_question_names(question: str) -> None:
    talk = Talk(time_zone="America/Los_Angeles")
    talk.create("vuln-digest", "vulns", schedule=_MONDAYS)
    talk.classify_and_answer("show vuln-digest")
    assert "at 9:00 AM (UTC)" in talk.classify_and_answer(question).text


@pytest.mark.parametrize(
    ("message", "part"),
    [
        (
            "Thank you. Might you tell me on which date I shall receive the first of these?",
            "Monday, February 2",
        ),
        ("might you pause it?", "vuln-digest is paused"),
        ("might you kindly pause vuln-digest?", "vuln-digest is paused"),
        ("might you have the time?", "It is 9:00 AM"),
    ],
)
def test_might_you_asks_for_what_follows(message: str, part: str) -> None:
    talk = Talk()
    talk.create("vuln-digest", "vulns", schedule=_MONDAYS)
    talk.classify_and_answer("show vuln-digest")
    assert part in talk.classify_and_answer(message).text
