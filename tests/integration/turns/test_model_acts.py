"""What a model's acts do to the user's things: right ones are obeyed, wrong and odd ones harm nothing."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.data.acting_model import ActingTalk, answer_of

FOLDER = Path(__file__).parent / "model_acts"


def _cases(name: str) -> dict[str, dict[str, Any]]:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return {case["id"]: case for case in map(json.loads, lines)}


RIGHT, WRONG = _cases("right.jsonl"), _cases("wrong.jsonl")


def _expected(
    before: Mapping[str, Any], expect: Mapping[str, Any], after: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the state that a case wants; of a new agent and a new task only what the case tells."""
    wanted = copy.deepcopy(dict(before))
    for name in expect.get("gone", ()):
        wanted["agents"].pop(name)
    for name in expect.get("tasks_gone", ()):
        wanted["tasks"].pop(name)
    for subject in ("agents", "tasks"):
        for name, fields in expect.get(subject, {}).items():
            known = wanted[subject].get(name, after[subject].get(name, {}))
            wanted[subject][name] = {**known, **fields}
    wanted["runs"] = sorted([*wanted["runs"], *expect.get("runs", ())])
    for name in expect.get("cancelled", ()):
        wanted["runs"].remove(name)
        wanted["cancelled"].append(name)
    return wanted


def _check_new(new: Mapping[str, Any], expect: Mapping[str, Any]) -> None:
    ((name, agent),) = new.items()
    for field, value in expect.items():
        if field == "brief":
            assert all(part in agent["brief"] for part in value), agent
        elif field == "name":
            assert name == value
        else:
            assert agent[field] == value, agent


@pytest.mark.parametrize("name", RIGHT)
def test_right_acts_are_obeyed(name: str) -> None:
    case = RIGHT[name]
    talk = ActingTalk()
    for message in case.get("before", ()):
        talk.read(message)
    before = talk.state()
    said = talk.say(case["say"], answer_of(case["acts"]))
    for message in case.get("then", ()):
        talk.read(message)
    after = talk.state()
    new = {name: agent for name, agent in after["agents"].items() if name not in before["agents"]}
    expect = case["expect"]
    if "new" in expect:
        _check_new(new, expect["new"])
        after["agents"] = {name: agent for name, agent in after["agents"].items() if name not in new}
    assert after == _expected(before, expect, after), said.text
    assert all(word in said.text for word in expect.get("says", ())), said.text


@pytest.mark.parametrize("name", WRONG)
def test_wrong_acts_do_nothing_that_was_not_asked_for(name: str) -> None:
    case = WRONG[name]
    talk = ActingTalk()
    for message in case.get("before", ()):
        talk.read(message)
    before = talk.state()
    answer = case["answer"] if "answer" in case else answer_of(case["acts"])
    said = talk.say(case["say"], answer)
    after = talk.state()
    # What the words themselves ask for may be done all the same, by our own reading.
    assert after in (before, _expected(before, case["expect"], after)), said.text
    assert said.text.strip()
    assert len(said.text.split()) <= 60
