"""What a user has, as REST tells it, and what a turn changed of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.evals.dialogues.format import Json

_OF_THE_CLOCK = frozenset(
    {"version", "created_at", "updated_at", "needs_connection", "completed_at", "summary"}
)
"""Fields that change by themselves or along with others."""

_KEPT_OF_CONVERSATIONS = ("title", "status", "pinned")
_SHORT = 90


@dataclass(frozen=True, slots=True)
class State:
    """What a user has."""

    agents: tuple[Json, ...] = ()
    tasks: tuple[Json, ...] = ()
    runs: tuple[Json, ...] = ()
    skills: tuple[Json, ...] = ()
    policy: Json = field(default_factory=dict)
    conversations: tuple[Json, ...] = ()

    def names(self) -> list[str]:
        """What the user may call their things by."""
        return [agent["name"] for agent in self.agents] + [task["title"] for task in self.tasks]

    def busy(self) -> bool:
        """Whether a run has not ended."""
        return any(run.get("status") in ("queued", "running") for run in self.runs)


def changes(before: State, after: State) -> list[tuple[str, str]]:
    """What a turn changed, as pairs of a kind (`agent +`, `task ~`) and what it is.

    Runs that schedules start, and how far runs got, are not its doing.
    """
    found: list[tuple[str, str]] = []
    for kind, label in (("agent", "name"), ("task", "title"), ("skill", "name")):
        found += _changed_items(kind, label, before, after)
    return [*found, *_changed_runs(before, after), *_changed_policy(before, after)]


def conversation_changes(before: State, after: State) -> bool:
    """Whether a conversation there was before has gone, or was renamed, archived or pinned."""
    new = {item["id"]: item for item in after.conversations}
    return any(
        item["id"] not in new
        or any(
            item.get(key) != new[item["id"]].get(key) for key in _KEPT_OF_CONVERSATIONS if item.get("title")
        )
        for item in before.conversations
    )


def short(value: Any) -> str:
    """A value as text of at most 90 characters."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHORT else text[: _SHORT - 1] + "…"


def _changed_items(kind: str, label: str, before: State, after: State) -> Iterator[tuple[str, str]]:
    old, new = ({item["id"]: item for item in getattr(state, f"{kind}s")} for state in (before, after))
    yield from ((f"{kind} +", item[label]) for key, item in new.items() if key not in old)
    yield from ((f"{kind} -", item[label]) for key, item in old.items() if key not in new)
    for key, item in new.items():
        if key in old and (shown := _changed_fields(old[key], item)):
            yield f"{kind} ~", f"{item[label]}: {shown}"


def _changed_fields(old: Json, new: Json) -> str:
    return ", ".join(
        f"{name}: {short(old.get(name))} → {short(value)}"
        for name, value in new.items()
        if value != old.get(name) and name not in _OF_THE_CLOCK
    )


def _changed_runs(before: State, after: State) -> Iterator[tuple[str, str]]:
    old = {run["id"]: run for run in before.runs}
    for run in after.runs:
        if run["id"] not in old and run.get("trigger") != "schedule":
            yield "run +", run["agent_name"]
        elif run.get("status") == "cancelled" and old.get(run["id"], {}).get("status") != "cancelled":
            yield "run ~", run["agent_name"]


def _changed_policy(before: State, after: State) -> Iterator[tuple[str, str]]:
    for name in sorted(after.policy.keys() | before.policy.keys()):
        old, new = before.policy.get(name), after.policy.get(name)
        if old != new:
            yield "policy ~", f"{name}: {short(old)} → {short(new)}"
