"""Figures and transcripts of probes: as values and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tests.evals.dialogues.format import Json
from tests.evals.probes import pairs, questions, reversals, wrappers
from tests.evals.probes.play import Outcome

GOALS: Mapping[str, float] = {
    wrappers.PART: 0.97,
    pairs.PART: 0.92,
    questions.PART: 0.95,
    reversals.PART: 1.0,
}
"""The share of each part that is to pass."""

_TITLES = {
    wrappers.PART: "every command in 10 wrappers",
    pairs.PART: "ordered pairs of 12 commands in one message",
    questions.PART: "“no, X” and “yes, but X” to every question",
    reversals.PART: "every change undone",
}
_MARKS = {
    "false_claims": "false claim",
    "silent_changes": "silent change",
    "menus": "menu",
    "errors": "error",
}


def summary(outcomes: Sequence[Outcome]) -> Json:
    """What is counted: each part with its goal and its groups, and what is wrong with replies."""
    marks = Counter(mark for outcome in outcomes for turn in outcome.turns for mark in turn.marks)
    names = [part for part in GOALS if any(outcome.probe.part == part for outcome in outcomes)]
    return {
        "parts": {part: _part(part, [one for one in outcomes if one.probe.part == part]) for part in names},
        **{name: marks[mark] for name, mark in _MARKS.items()},
        "turns": sum(len(outcome.turns) for outcome in outcomes),
    }


def record(outcome: Outcome) -> Json:
    """A probe as it went, as plain values."""
    return {
        "id": outcome.probe.id,
        "passed": outcome.passed,
        "problems": outcome.problems,
        "dropped": outcome.dropped,
        "unexpected": outcome.unexpected,
        "turns": [
            {"say": turn.text, "reply": turn.reply.text, "error": turn.reply.error,
             "changed": [f"{kind} {what}" for kind, what in turn.changed], "marks": turn.marks}
            for turn in outcome.turns
        ],
    }  # fmt: skip


def transcript(outcome: Outcome) -> str:
    """A probe as it went, for people: said (`>`), answered (`<`), changed (`=`) and wrong (`✗`)."""
    lines = [f"{'passed' if outcome.passed else 'FAILED'} {outcome.probe.id}"]
    for turn in outcome.turns:
        lines += [f"  > {turn.text}", "  < " + turn.reply.text.replace("\n", "\n    ")]
        lines += [f"  = {kind} {what}" for kind, what in turn.changed]
    lines += [f"  ✗ {line}" for line in outcome.problems]
    return "\n".join(lines + [f"  ✗ no reply speaks of: {line}" for line in outcome.dropped])


def table(counted: Mapping[str, Any]) -> str:
    """A summary as lines of text: one table per part."""
    lines: list[str] = []
    for name, part in counted["parts"].items():
        lines += [f"{name}: {_TITLES[name]}", _row("all", part) + f"  goal {part['goal']:.0%}"]
        lines.append(f"  {part['dropped']} dropped something that no reply speaks of")
        lines.append(f"  {part['unexpected']} changed something that was not asked for")
        for grouping in ("by_first", "by_second"):
            lines += [_row(group, share) for group, share in part[grouping].items()] + [""]
    rest = [name for name in counted if name not in {"parts", "recorded"}]
    return "\n".join([*lines, *(f"{name:<20}{counted[name]}" for name in rest)])


def _part(name: str, outcomes: Sequence[Outcome]) -> Json:
    share = _share(outcomes)
    return {
        **share,
        "rate": round(share["passed"] / share["total"], 3),
        "goal": GOALS[name],
        "dropped": sum(bool(outcome.dropped) for outcome in outcomes),
        "unexpected": sum(bool(outcome.unexpected) for outcome in outcomes),
        "by_first": _grouped(outcomes, lambda parts: parts[1]),
        "by_second": _grouped(outcomes, _answer_form if name == questions.PART else lambda parts: parts[2]),
    }


def _grouped(outcomes: Sequence[Outcome], key: Callable[[list[str]], str]) -> dict[str, dict[str, int]]:
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(key(outcome.probe.id.split("/")), []).append(outcome)
    return {group: _share(members) for group, members in groups.items()}


def _answer_form(parts: list[str]) -> str:
    """`no` or `yes-but`, without the number."""
    return parts[2].rpartition("-")[0]


def _share(outcomes: Iterable[Outcome]) -> dict[str, int]:
    results = [outcome.passed for outcome in outcomes]
    return {"passed": sum(results), "total": len(results)}


def _row(name: str, share: Mapping[str, int]) -> str:
    return f"  {name:<22}{share['passed'] / share['total']:7.1%}  {share['passed']}/{share['total']}"
