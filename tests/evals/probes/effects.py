"""What a message should change, and how the state it leaves differs from that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tests.evals.dialogues.format import Json
from tests.evals.dialogues.matchers import agent_misses, run_misses, task_misses
from tests.evals.dialogues.state import State, short

BY_THEMSELVES = frozenset(
    {
        "version",
        "created_at",
        "updated_at",
        "needs_connection",
        "missing",
        "channels",
        "completed_at",
        "summary",
    }
)
"""Fields that change along with others: what an agent lacks follows from its source and its delivery."""

_NOT_RESTORED = frozenset({"version", "updated_at"})
_SORTS = ("agents", "tasks")
_LABELS = {"agents": "name", "tasks": "title"}
_FINAL = frozenset({"succeeded", "failed", "cancelled", "timed_out"})


class Change(StrEnum):
    """What happens to a thing."""

    NEW = "new"
    GONE = "gone"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Effect:
    """One expected change. ``thing`` is the name or title before it, and of a new thing afterwards."""

    sort: str
    """`agents`, `tasks`, `runs` or `policy`."""
    thing: str
    change: Change
    fields: frozenset[str] = frozenset()
    """The fields of a changed thing that become different; no other may."""
    fits: Mapping[str, Any] = field(default_factory=dict)
    """A matcher of dialogues that the thing fits afterwards."""
    equals: Mapping[str, Any] = field(default_factory=dict)
    """Values of fields afterwards."""

    @property
    def words(self) -> str:
        """The effect in a few words."""
        return f"{self.sort[:-1] if self.sort != 'policy' else 'policy'} {self.change} {self.thing}"


@dataclass(frozen=True, slots=True)
class _Found:
    sort: str
    change: Change
    before: Json
    after: Json

    @property
    def thing(self) -> str:
        label = _LABELS[self.sort]
        return str((self.before or self.after)[label])

    @property
    def fields(self) -> frozenset[str]:
        names = self.before.keys() | self.after.keys()
        return frozenset(
            name for name in names - BY_THEMSELVES if self.before.get(name) != self.after.get(name)
        )

    def __str__(self) -> str:
        if self.change is not Change.CHANGED:
            return f"{self.sort[:-1]} {self.change}: {self.thing}"
        shown = ", ".join(
            f"{name} {short(self.before.get(name))} → {short(self.after.get(name))}"
            for name in sorted(self.fields)
        )
        return f"{self.sort[:-1]} changed: {self.thing}: {shown}"


@dataclass(frozen=True, slots=True)
class Difference:
    """How a state differs from the expected one."""

    unmet: tuple[tuple[Effect, str], ...] = ()
    """The effects that did not happen, with why."""
    unexpected: tuple[str, ...] = ()
    """What happened besides."""

    def __bool__(self) -> bool:
        return bool(self.unmet or self.unexpected)

    def lines(self) -> list[str]:
        """The difference, a line each."""
        return [
            *(f"not done: {effect.words} ({why})" for effect, why in self.unmet),
            *(f"not asked for: {line}" for line in self.unexpected),
        ]


def difference(before: State, after: State, effects: Sequence[Effect]) -> Difference:
    """How what changed between two states differs from what should have."""
    left = list(_found(before, after))
    unmet = []
    for effect in effects:
        if effect.sort == "runs":
            why = _unmet_run(effect, before, after)
        elif effect.sort == "policy":
            why = _unmet_policy(effect, after)
        else:
            why = _take(effect, left)
        if why:
            unmet.append((effect, why))
    unexpected = [str(found) for found in left]
    unexpected += _further_runs(before, after, effects) + _further_policy(before, after, effects)
    return Difference(tuple(unmet), tuple(unexpected))


def not_restored(before: State, after: State) -> list[str]:
    """Which agents, tasks and settings are not exactly as they were, a line each."""
    lines = []
    for sort in _SORTS:
        old, new = _by_id(getattr(before, sort)), _by_id(getattr(after, sort))
        label = _LABELS[sort]
        lines += [f"{sort[:-1]} is missing: {item[label]}" for key, item in old.items() if key not in new]
        lines += [f"{sort[:-1]} is left: {item[label]}" for key, item in new.items() if key not in old]
        lines += [
            f"{sort[:-1]} {old[key][label]}: {line}"
            for key in old.keys() & new.keys()
            for line in _fields_not_restored(old[key], new[key])
        ]
    return lines + [f"policy: {line}" for line in _fields_not_restored(before.policy, after.policy)]


def _fields_not_restored(old: Json, new: Json) -> list[str]:
    names = sorted((old.keys() | new.keys()) - _NOT_RESTORED)
    return [
        f"{name} was {short(old.get(name))}, is {short(new.get(name))}"
        for name in names
        if old.get(name) != new.get(name)
    ]


def _by_id(items: Sequence[Json]) -> dict[str, Json]:
    return {item["id"]: item for item in items}


def _found(before: State, after: State) -> Iterator[_Found]:
    for sort in _SORTS:
        old, new = _by_id(getattr(before, sort)), _by_id(getattr(after, sort))
        for key in sorted(old.keys() | new.keys()):
            change = Change.NEW if key not in old else Change.GONE if key not in new else Change.CHANGED
            found = _Found(sort, change, old.get(key, {}), new.get(key, {}))
            if change is not Change.CHANGED or found.fields:
                yield found


def _take(effect: Effect, left: list[_Found]) -> str:
    """Why no change in ``left`` is this effect; the one that is is taken out."""
    why = "nothing happened"
    for found in left:
        if found.sort != effect.sort or found.change is not effect.change:
            continue
        if effect.change is not Change.NEW and found.thing != effect.thing:
            continue
        why = _misses(effect, found)
        if not why:
            left.remove(found)
            return ""
    return why


def _misses(effect: Effect, found: _Found) -> str:
    if effect.change is Change.GONE:
        return ""
    misses = (agent_misses if effect.sort == "agents" else task_misses)(found.after, dict(effect.fits))
    misses += [name for name, value in effect.equals.items() if found.after.get(name) != value]
    if misses:
        return f"wrong {', '.join(misses)}"
    if effect.change is Change.CHANGED and (more := found.fields - effect.fields):
        return f"also changed {', '.join(sorted(more))}"
    return ""


def _started(before: State, after: State) -> list[Json]:
    known = _by_id(before.runs)
    return [run for run in after.runs if run["id"] not in known]


def _unmet_run(effect: Effect, before: State, after: State) -> str:
    wanted = {"agent": effect.thing, **effect.fits}
    if effect.change is Change.NEW:
        return "" if any(not run_misses(run, wanted) for run in _started(before, after)) else "no new run"
    # A run that has no model ends so soon that there may be nothing left to stop.
    over = [run for run in after.runs if run.get("agent_name") == effect.thing and run["status"] in _FINAL]
    return "" if over else "the run goes on"


def _further_runs(before: State, after: State, effects: Sequence[Effect]) -> list[str]:
    wanted = [effect.thing for effect in effects if effect.sort == "runs" and effect.change is Change.NEW]
    names = [str(run["agent_name"]) for run in _started(before, after)]
    for name in wanted:
        if name in names:
            names.remove(name)
    return [f"run new: {name}" for name in names]


def _unmet_policy(effect: Effect, after: State) -> str:
    misses = [name for name, value in effect.equals.items() if after.policy.get(name) != value]
    return f"wrong {', '.join(misses)}" if misses else ""


def _further_policy(before: State, after: State, effects: Sequence[Effect]) -> list[str]:
    allowed = {name for effect in effects if effect.sort == "policy" for name in effect.equals}
    return [
        f"policy changed: {name} {short(before.policy.get(name))} → {short(value)}"
        for name, value in after.policy.items()
        if value != before.policy.get(name) and name not in allowed
    ]
