"""A turn that changes the state against the person's goal is counted as a wrong deed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.evals.dialogues.format import Json
from tests.evals.dialogues.report import summary
from tests.fakes.data.dialogue_script import AGENT, NONE, ONE, TASK, Step, played

SAVED: Step = ("Saved.", {"agents": (AGENT,), "tasks": ()})


def case(**end: Any) -> Json:
    return {
        "turns": [{"say": "I need a cash report"}, {"say": "and?"}],
        "max_extra": 0,
        "expect": [{"end": end}],
    }


@pytest.mark.parametrize(
    ("end", "steps", "wrong"),
    [
        ({"agents": [{"name": "cash"}]}, [("Added.", {"tasks": (TASK,)}), ("Hm.", {})], 1),
        ({"agents": [{"name": "cash"}]}, [("Saved.", {"agents": (AGENT,)}), ("Deleted.", {"agents": ()})], 1),
        ({"agents_exactly": 3}, [("Saved.", {"agents": (AGENT,)}), ("Hm.", {})], 0),
        ({"agents": [{"name": "cash"}]}, [("Added.", {"tasks": (TASK,)}), SAVED], 0),
    ],
    ids=[
        "a task instead",
        "the right thing taken back",
        "too few",
        "reached in the end",
    ],
)
def test_a_deed_is_wrong_if_it_leads_further_from_an_end_that_was_not_reached(
    end: Json, steps: list[Step], wrong: int
) -> None:
    result, _ = played(case(**end), NONE, *steps)

    assert summary([result])["wrong_deeds"] == wrong


def test_what_the_goal_says_nothing_of_is_to_stay_as_it_was() -> None:
    result, _ = played(case(tasks=[{"text": "bank"}]), ONE, ("Deleted.", {"agents": ()}), ("Hm.", {}))

    assert result.turns[0].marks == ["wrong deed"]
