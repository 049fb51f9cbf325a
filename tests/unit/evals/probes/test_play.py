"""A probe says its message, answers a yes, and is judged by what came of it."""

from __future__ import annotations

from dataclasses import replace

from tests.evals.dialogues.reply import Reply
from tests.evals.probes.commands import agent_gone, agent_set, task_done, task_new
from tests.evals.probes.play import Outcome, play
from tests.evals.probes.probe import Probe
from tests.evals.probes.report import summary, table, transcript
from tests.fakes.data.dialogue_script import AGENT, NONE, ONE, TASK, ScriptedService, Step

PAUSED = {**AGENT, "status": "paused"}
PAUSE = Probe("pairs/a/b/and", {}, "pause cash-report", (agent_set("cash-report", status="paused"),))
DELETE = Probe("pairs/a/c/and", {}, "delete cash-report", (agent_gone("cash-report"),))
ASKS = Reply("Shall I delete cash-report?", asks_yes_or_no=True)


def outcome_of(probe: Probe, *script: Step) -> Outcome:
    outcome = Outcome(probe)
    play(ScriptedService(ONE, *script), outcome)
    return outcome


def said(outcome: Outcome) -> list[str]:
    return [turn.text for turn in outcome.turns]


def test_a_command_that_is_carried_out_passes() -> None:
    assert outcome_of(PAUSE, ("cash-report is paused.", {"agents": (PAUSED,)})).passed


def test_a_deletion_is_asked_and_confirmed() -> None:
    outcome = outcome_of(DELETE, (ASKS, {}), ("Deleted: cash-report.", {"agents": ()}))

    assert outcome.passed
    assert said(outcome) == ["delete cash-report", "yes"]


def test_a_deletion_that_was_not_asked_fails() -> None:
    outcome = outcome_of(DELETE, ("Deleted: cash-report.", {"agents": ()}))

    assert outcome.problems == ["deleted without being asked: cash-report"]


def test_a_deletion_that_nobody_wants_is_not_confirmed() -> None:
    outcome = outcome_of(PAUSE, (ASKS, {}), ("Deleted: cash-report.", {"agents": ()}))

    assert said(outcome) == ["pause cash-report"]
    assert not outcome.passed


def test_what_is_not_done_and_not_spoken_of_is_dropped() -> None:
    probe = replace(PAUSE, effects=(*PAUSE.effects, task_new("order stickers")))
    done: Step = ("cash-report is paused.", {"agents": (PAUSED,)})
    named: Step = ("cash-report is paused. I did not do: order stickers.", {"agents": (PAUSED,)})

    assert outcome_of(probe, done).dropped == ["task new order stickers"]
    assert outcome_of(probe, named).dropped == []
    assert not outcome_of(probe, named).passed


def test_an_answer_to_what_was_not_asked_fails() -> None:
    probe = replace(PAUSE, said_before=("delete cash-report",), message="no, pause it", asks="confirm")
    paused: Step = ("cash-report is paused.", {"agents": (PAUSED,)})

    assert outcome_of(probe, (ASKS, {}), paused).passed
    assert outcome_of(probe, ("Hm.", {}), paused).problems == ["not asked: confirm"]


def test_undoing_restores_everything() -> None:
    probe = replace(PAUSE, id="undo/pause/plain", undo="undo")
    paused: Step = ("cash-report is paused.", {"agents": (PAUSED,)})

    assert outcome_of(probe, paused, ("Undone.", {"agents": ({**AGENT, "version": 3},)})).passed
    assert outcome_of(probe, paused, ("Undone.", {})).problems == [
        "agent cash-report: status was active, is paused"
    ]
    assert outcome_of(probe, ("Hm.", {})).problems[-1] == "was not made, so was not undone"


def test_figures_are_counted_by_part_and_failures_are_shown() -> None:
    wrong = replace(PAUSE, effects=(task_done("call the bank"),))
    outcomes = [
        outcome_of(PAUSE, ("cash-report is paused.", {"agents": (PAUSED,)})),
        outcome_of(wrong, ("Added.", {"agents": (PAUSED,), "tasks": (TASK,)})),
    ]

    part = summary(outcomes)["parts"]["pairs"]

    assert (part["passed"], part["total"], part["dropped"], part["unexpected"]) == (1, 2, 1, 1)
    assert "✗ not asked for: task new: call the bank" in transcript(outcomes[1])
    assert "50.0%  1/2  goal 92%" in table(summary(outcomes))


def test_no_state_is_expected_where_nothing_should_change() -> None:
    outcome = Outcome(Probe("wrappers/a/sum", {}, "2 + 2", told=("4",)))
    play(ScriptedService(NONE, ("2 + 2 = 4", {})), outcome)

    assert outcome.passed
