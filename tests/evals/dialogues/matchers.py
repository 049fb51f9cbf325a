"""Whether a state and a reply are as expected, and why not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from tests.evals.dialogues.cron import same_cron
from tests.evals.dialogues.format import COUNTS, Json
from tests.evals.dialogues.reply import Reply
from tests.evals.dialogues.state import State

Misses = Callable[[Json, Json], list[str]]
"""The keys of a matcher (second) that an item (first) does not fulfil."""

_AGENT_TEXT = (
    "name", "what", "job", "title", "brief", "request", "words", "instructions", "description", "scope",
    "condition", "format", "summary",
)  # fmt: skip


def agent_misses(agent: Json, matcher: Json) -> list[str]:
    """The keys of a matcher that an agent does not fulfil."""
    schedule, delivery = agent.get("schedule") or {}, agent.get("delivery") or {}
    text = _said_of(agent, _AGENT_TEXT)
    sources = [*agent.get("sources", []), agent.get("source"), agent.get("scope"), *agent.get("skills", [])]
    checks: Mapping[str, Callable[[Any], bool]] = {
        "name": lambda want: _contains([agent["name"]], want),
        "source": lambda want: _contains(sources, want),
        "cron": lambda want: any(_fits_schedule(one, schedule) for one in _listed(want)),
        "time_zone": lambda want: schedule.get("time_zone") in _listed(want),
        "channel": lambda want: bool(set(_listed(want)) & set(delivery.get("channels", []))),
        "recipient": lambda want: _contains(delivery.get("recipients", []), want),
        "status": lambda want: agent.get("status", "active") in _listed(want),
        "shared": lambda want: bool(agent.get("shared")) == want,
        "text": lambda want: _all_found(want, text),
        "text_lacks": lambda want: _none_found(want, text),
    }
    return [key for key, want in matcher.items() if not checks[key](want)]


def task_misses(task: Json, matcher: Json) -> list[str]:
    """The keys of a matcher that a task does not fulfil."""
    text = _said_of(task, ("title", "description"))
    due = task.get("due_date") or task.get("due") or ""
    checks: Mapping[str, Callable[[Any], bool]] = {
        "text": lambda want: _all_found(want, text),
        "text_lacks": lambda want: _none_found(want, text),
        "due": lambda want: any(_fits_due(one, due) for one in _listed(want)),
        "completed": lambda want: bool(task.get("completed")) == want,
    }
    return [key for key, want in matcher.items() if not checks[key](want)]


def run_misses(run: Json, matcher: Json) -> list[str]:
    """The keys of a matcher that a run does not fulfil."""
    parameters = json.dumps(run.get("parameters") or {}, ensure_ascii=False)
    text = _said_of(run, ("agent_name", "output")) + parameters
    checks: Mapping[str, Callable[[Any], bool]] = {
        "agent": lambda want: _contains([run.get("agent_name")], want),
        "status": lambda want: run.get("status") in _listed(want),
        "trigger": lambda want: run.get("trigger") in _listed(want),
        "text": lambda want: _all_found(want, text),
        "text_lacks": lambda want: _none_found(want, text),
    }
    return [key for key, want in matcher.items() if not checks[key](want)]


_MISSES: Mapping[str, Misses] = {"agents": agent_misses, "tasks": task_misses, "runs": run_misses}


def unmet_of_state(expected: Json, state: State) -> list[str]:
    """Why a state is not the expected one, a line each."""
    return [
        *(line for kind in _MISSES for line in _unmet_of_kind(kind, expected, getattr(state, kind))),
        *_unmet_counts(expected, state),
        *_unmet_policy(expected.get("policy") or {}, state.policy),
    ]


def lacking_of(expected: Json, state: State) -> set[str]:
    """Of which sorts of things (`agents`, `tasks`, …) a state does not hold what is expected."""
    sorts: dict[str, Json] = {}
    for key, value in expected.items():
        sorts.setdefault(key.partition("_")[0], {})[key] = value
    return {sort for sort, part in sorts.items() if unmet_of_state(part, state)}


def unmet_of_reply(expected: Json, reply: Reply) -> list[str]:
    """What a reply lacks, or should not say, a line each."""
    if reply.error:
        return [f"error: {reply.error}"]
    required, some, lacks = (_listed(expected.get(f"reply_{key}", [])) for key in ("has", "any", "lacks"))
    found = [f"reply_has {pattern!r}" for pattern in required if not re.search(pattern, reply.text)]
    if some and not any(re.search(pattern, reply.text) for pattern in some):
        found.append(f"reply_any {some!r}")
    return found + [f"reply_lacks {pattern!r}" for pattern in lacks if re.search(pattern, reply.text)]


def _unmet_of_kind(kind: str, expected: Json, items: Sequence[Json]) -> Iterator[str]:
    yield from _unmatched(kind, expected.get(kind) or [], items)
    for matcher in expected.get(f"{kind}_none") or []:
        if any(not _MISSES[kind](item, matcher) for item in items):
            yield f"there is a {kind[:-1]} that fits {json.dumps(matcher, ensure_ascii=False)}"


def _unmet_counts(expected: Json, state: State) -> Iterator[str]:
    for key in sorted(expected.keys() & COUNTS):
        items = getattr(state, key.partition("_")[0])
        if key == "tasks_open_exactly":
            items = [task for task in items if not task.get("completed")]
        if len(items) != expected[key]:
            yield f"{key} {expected[key]}, there are {len(items)}"


def _unmet_policy(expected: Json, policy: Json) -> Iterator[str]:
    for key, want in expected.items():
        held: Any = policy
        for name in key.split("."):
            held = (held or {}).get(name)
        if held != want:
            yield f"policy {key} {want!r}, is {held!r}"


def _unmatched(kind: str, matchers: Sequence[Json], items: Sequence[Json]) -> Iterator[str]:
    """The matchers that no item is left for, however they are assigned (a maximum bipartite matching)."""
    misses_of = _MISSES[kind]
    fits = [
        [index for index, item in enumerate(items) if not misses_of(item, matcher)] for matcher in matchers
    ]
    taken: dict[int, int] = {}

    def place(number: int, seen: set[int]) -> bool:
        for index in fits[number]:
            if index not in seen:
                seen.add(index)
                if index not in taken or place(taken[index], seen):
                    taken[index] = number
                    return True
        return False

    for number, matcher in enumerate(matchers):
        if not place(number, set()):
            why = _nearest(misses_of, matcher, items)
            yield f"no {kind[:-1]} fits {json.dumps(matcher, ensure_ascii=False)}; {why}"


def _nearest(misses_of: Misses, matcher: Json, items: Sequence[Json]) -> str:
    if not items:
        return "there are none"
    fewest = min((misses_of(item, matcher) for item in items), key=len)
    return f"the nearest fails in {', '.join(fewest) or 'being another one'}"


def _fits_schedule(wanted: str | None, schedule: Json) -> bool:
    return same_cron(wanted, schedule.get("cron", "")) if wanted else not schedule


def _fits_due(wanted: str | None, due: str) -> bool:
    if not wanted:
        return not due
    return due.startswith(wanted) or (bool(due) and wanted.startswith(due))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _contains(items: Iterable[Any], wanted: Any) -> bool:
    held = [str(item).lower() for item in items if item]
    return any(str(part).lower() in item for part in _listed(wanted) for item in held)


def _all_found(patterns: Any, text: str) -> bool:
    return all(re.search(pattern, text) for pattern in _listed(patterns))


def _none_found(patterns: Any, text: str) -> bool:
    return not any(re.search(pattern, text) for pattern in _listed(patterns))


def _said_of(item: Json, keys: Iterable[str]) -> str:
    return "\n".join(str(part) for key in keys for part in _listed(item.get(key)) if part)
