"""What a reply claims to have done is compared with what was done."""

from __future__ import annotations

import pytest

from tests.evals.dialogues.claims import claims, untold
from tests.evals.dialogues.format import Json
from tests.evals.dialogues.reply import Reply
from tests.evals.dialogues.state import State, changes
from tests.fakes.data.dialogue_script import AGENT, NONE, ONE, TASK

RUN: Json = {"id": "r", "agent_name": "cash-report", "status": "queued", "trigger": "schedule"}


@pytest.mark.parametrize(
    "text",
    [
        "Done, I've changed cash-report: new name cash.",
        "I've added the task “call the bank”.",
        "Perfect, your agent is saved:\n- Name: cash-report",
        "Done.",
        "OK, cash-report is deleted.",
        "All right, it has been paused.",
        "Saved: it now runs on Fridays.",
        "I have started cash-report. The result will appear here.",
        "I couldn't rename it, but I've paused it.",
    ],
)
def test_a_reply_that_says_it_was_done_claims_it(text: str) -> None:
    assert claims(Reply(text), "pause it please", ["cash-report"])


@pytest.mark.parametrize(
    "text",
    [
        "I've left everything as it is. Nothing was changed.",
        "Shall I add it to your list?",
        "I haven't changed anything.",
        "Once it is saved, I'd tell you.",
        "cash-report is already paused.",
        "After 30 days, what you said is deleted.",
        "cash-report:\n- Job: cash\n- Shared: with everybody in your workspace",
        'To begin, say "I have added a task".',
        "I can't do that: nothing has been changed.",
        "cash-report has been paused since Monday.",
        "Done:\n- call the bank",
    ],
)
def test_a_reply_that_says_something_else_claims_nothing(text: str) -> None:
    assert claims(Reply(text), "pause it please", ["cash-report"]) == []


def test_an_answer_to_a_question_is_about_the_past() -> None:
    assert claims(Reply("I've added it on Monday."), "when did you add that task?") == []


def test_changes_are_named_by_kind_and_thing() -> None:
    paused = State(agents=({**AGENT, "status": "paused", "version": 2},))

    assert changes(ONE, paused) == [("agent ~", "cash-report: status: active → paused")]
    assert changes(ONE, ONE) == []
    assert changes(NONE, ONE) == [("agent +", "cash-report")]
    assert changes(ONE, NONE) == [("agent -", "cash-report")]
    assert changes(NONE, State(tasks=(TASK,))) == [("task +", "call the bank")]
    assert changes(NONE, State(policy={"retention_days": 30})) == [("policy ~", "retention_days: null → 30")]


def test_a_run_that_a_schedule_starts_is_nobodys_change() -> None:
    assert changes(ONE, State(agents=(AGENT,), runs=(RUN,))) == []
    assert changes(ONE, State(agents=(AGENT,), runs=({**RUN, "trigger": "chat"},))) == [
        ("run +", "cash-report")
    ]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("agent -", "Here is your list: nothing is on it."),
        ("agent ~", "All right, I've left everything as it is. Shall I pause it?"),
        ("agent ~", "I changed nothing."),
    ],
)
def test_a_change_that_the_reply_does_not_speak_of_is_untold(kind: str, text: str) -> None:
    assert untold([(kind, "x")], Reply(text)) == [(kind, "x")]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("agent ~", "OK, cash-report is paused."),
        ("run +", "I've started x: members who haven't paid. The result will appear here."),
    ],
)
def test_a_change_that_the_reply_speaks_of_is_told(kind: str, text: str) -> None:
    assert untold([(kind, "x")], Reply(text)) == []


def test_of_two_changes_one_may_be_untold() -> None:
    changed = [("agent -", "x"), ("task +", "y")]

    assert untold(changed, Reply("I've deleted x.")) == [("task +", "y")]
