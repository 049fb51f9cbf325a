"""Words that say how an earlier message was meant."""

from __future__ import annotations

import pytest

from intent.acts.act import ActKind
from intent.lessons.said_corrections import corrected_kind, named_kind, wish_in

K = ActKind


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("No, I wanted to run an agent", K.RUN_AGENT),
        ("no i wanted to run an agent", K.RUN_AGENT),
        ("No, I want to run an agent", K.RUN_AGENT),
        ("That was meant as a task", K.ADD_TASK),
        ("That's a task.", K.ADD_TASK),
        ("No, as a task", K.ADD_TASK),
        ("no, a reminder please", K.ADD_TASK),
        ("That should have been a task", K.ADD_TASK),
        ("Take that as a task please", K.ADD_TASK),
        ("I didn't want a new agent, I wanted a task", K.ADD_TASK),
        ("nope, I wanted to create an agent", K.CREATE_AGENT),
        ("No, I meant to pause it", K.PAUSE_AGENT),
        ("wrong, I was asking for the results", K.SHOW_RESULT),
        ("you misunderstood, run the agent", K.RUN_AGENT),
        ("No, I wanted to mark it as done", K.COMPLETE_TASK),
        ("no, I wanted to see my tasks", K.LIST_TASKS),
        ("no, my agents", K.LIST_AGENTS),
    ],
)
def test_a_correction_names_the_kind_of_act_that_was_meant(said: str, kind: ActKind) -> None:
    assert corrected_kind(said) is kind


@pytest.mark.parametrize(
    "said",
    [
        "No, I wanted to run ward-census",
        "That's a good agent",
        "That is not a task",
        "it's a task for Monday",
        "No, the other one",
        "no, make it 9",
        "I wanted to create an agent",
        "Run an agent",
        "no",
        "No, I wanted " + "to run an agent " * 40,
    ],
)
def test_other_words_are_no_correction_by_kind(said: str) -> None:
    assert corrected_kind(said) is None


def test_a_correction_with_a_wish_of_its_own_is_told_apart() -> None:
    assert wish_in("No, I wanted to run ward-census") == "run ward-census"
    assert wish_in("Run ward-census") is None


def test_kinds_are_named_by_their_names_too() -> None:
    assert named_kind("agent.run") is K.RUN_AGENT
    assert named_kind("a nice day") is None
