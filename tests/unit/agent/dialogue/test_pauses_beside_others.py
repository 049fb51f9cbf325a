"""Agents that need not run any more, pauses with a reminder behind them, and two deeds taken back at once."""

from __future__ import annotations

import pytest

from agent.workspace.agents import AgentStatus
from tests.fakes.data.chat_session import Talk


def _talk() -> Talk:
    talk = Talk()
    talk.create("waitlist", "patients on the waiting list")
    talk.create("no-shows", "patients who did not come")
    return talk


def _paused(talk: Talk) -> set[str]:
    return {one.name for one in talk.agents() if one.status is AgentStatus.PAUSED}


@pytest.mark.parametrize(
    "say",
    [
        "We've hired someone for that now, so waitlist needn't run any more.",
        "waitlist can stop running now",
    ],
)
def test_an_agent_that_need_not_run_any_more_is_paused(say: str) -> None:
    talk = _talk()
    talk.classify_and_answer(say)
    assert _paused(talk) == {"waitlist"}


@pytest.mark.parametrize(
    "say", ["waitlist needn't run twice", "does waitlist need to run any more?", "waitlist must still run"]
)
def test_an_agent_that_only_need_not_run_so_often_stays_active(say: str) -> None:
    talk = _talk()
    talk.classify_and_answer(say)
    assert not _paused(talk)


@pytest.mark.parametrize(
    "say",
    [
        "pause both, then remind me on 7 April at 9 to switch them back on",
        "We're shut for a week, so pause both and remind me on 9 March at 8 to resume them",
    ],
)
def test_a_reminder_behind_a_pause_is_a_task(say: str) -> None:
    talk = _talk()
    talk.classify_and_answer(say)
    assert _paused(talk) == {"waitlist", "no-shows"}
    assert len(talk.tasks.list(talk.caller, completed=None, limit=9)[0]) == 1


@pytest.mark.parametrize(
    ("say", "paused", "tasks"),
    [
        ("hmm, undo both of those please", set(), 0),
        ("undo the last two things", set(), 0),
        ("take both of those back", set(), 0),
        ("undo that", {"waitlist"}, 0),
    ],
)
def test_two_deeds_are_taken_back_where_both_are_meant(say: str, paused: set[str], tasks: int) -> None:
    talk = _talk()
    talk.classify_and_answer("pause waitlist")
    talk.classify_and_answer("put 'print the badges' on my list")
    talk.classify_and_answer(say)
    assert _paused(talk) == paused
    assert len(talk.tasks.list(talk.caller, completed=None, limit=9)[0]) == tasks
