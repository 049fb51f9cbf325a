"""The format of a dialogue: reads files of them and says what is wrong in one. Plays and judges nothing."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

Json = dict[str, Any]

KINDS = frozenset(
    {
        "create", "schedule", "delivery", "change", "rename", "pause", "resume", "delete", "share", "run",
        "result", "list", "task", "due", "question", "about_product", "recall", "sum", "small_talk",
        "compound", "correction", "wrapper", "aside", "undo", "followup", "option", "unsure", "foreign",
        "return", "admin", "data", "typo",
    }
)  # fmt: skip
"""What a dialogue is about; several may apply."""

ASKED = ("when", "where", "source", "job", "confirm", "which", "name")
"""What the service may ask the simulated user, and under what key the answer stands."""

_FURTHER_ANSWERS = ("rephrase", "other")
_DEFAULT_START = "2026-03-02T14:00:00Z"
_KEYS = {
    "id", "author", "persona", "kind", "time_zone", "start", "given", "turns", "answers", "max_extra",
    "expect", "goal", "user", "note",
}  # fmt: skip
_GIVEN = {"agents", "tasks", "policy", "role", "runs"}
_TURN = {"say", "after", "settle", "new_conversation", "at_once", "time_zone"}
_REPLY = {"reply_has", "reply_any", "reply_lacks"}
_AGENT = {
    "name", "source", "cron", "time_zone", "channel", "recipient", "status", "shared", "text", "text_lacks",
}  # fmt: skip
_TASK = {"text", "text_lacks", "due", "completed"}
_RUN = {"agent", "status", "trigger", "text", "text_lacks"}
COUNTS = {"agents_exactly", "tasks_exactly", "runs_exactly", "conversations_exactly", "tasks_open_exactly"}
"""The keys of an expected state that hold a number of items."""

_NONE = {"agents_none", "tasks_none", "runs_none"}
_STATE = {"agents", "tasks", "runs", "policy"} | COUNTS | _NONE
_REGEXES = ("text", "text_lacks", "reply_has", "reply_any", "reply_lacks")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def read_dialogues(paths: Iterable[Path]) -> list[Json]:
    """The dialogues of the files, in their order.

    Raises:
        ValueError: a line is no dialogue, or an id occurs twice; the message names the file and the line.
    """
    cases = [case for path in paths for case in _read(path)]
    twice = [name for name, count in Counter(case["id"] for case in cases).items() if count > 1]
    if twice:
        raise ValueError(f"ids used twice: {', '.join(twice)}")
    return cases


def _read(path: Path) -> Iterator[Json]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
        except ValueError as error:
            raise ValueError(f"{path.name}:{number}: {error}") from None
        problems = list(problems_of(case))
        if problems:
            raise ValueError(f"{path.name}:{number} ({case.get('id')}): {'; '.join(problems)}")
        yield case


def problems_of(case: Json) -> Iterator[str]:
    """What is wrong with a dialogue's form, a line each."""
    yield from (f"no {key}" for key in ("id", "kind", "turns", "expect") if not case.get(key))
    yield from (f"unknown key {key}" for key in case.keys() - _KEYS)
    yield from (f"unknown kind {kind}" for kind in set(case.get("kind", [])) - KINDS)
    yield from (f"unknown key {key} in given" for key in (case.get("given") or {}).keys() - _GIVEN)
    answers = (case.get("answers") or {}).keys()
    yield from (f"unknown answer {key}" for key in answers - {*ASKED, *_FURTHER_ANSWERS})
    for turn in case.get("turns", []):
        yield from _problems_of_turn(turn)
    for expectation in case.get("expect", []):
        yield from _problems_of_expectation(expectation, len(case.get("turns", [])))


def _problems_of_turn(turn: Json) -> Iterator[str]:
    yield from (f"unknown key {key} in a turn" for key in turn.keys() - _TURN)
    if not turn.get("say"):
        yield "a turn says nothing"
    if "after" in turn:
        try:
            span(turn["after"])
        except ValueError as error:
            yield str(error)


def _problems_of_expectation(expectation: Json, turns: int) -> Iterator[str]:
    for key in ("turn", "at"):
        if key in expectation and not 1 <= expectation[key] <= turns:
            yield f"{key} {expectation[key]} of {turns}"
    if "turn" in expectation:
        body, known = {key: value for key, value in expectation.items() if key != "turn"}, _REPLY
    elif "last" in expectation:
        body, known = last_of(expectation), _REPLY
    elif "end" in expectation:
        body, known = expectation["end"], _STATE
    elif "at" in expectation:
        body, known = expectation.get("state", {}), _STATE
    else:
        yield f"expects neither turn, last, end nor at: {expectation}"
        return
    if not body:
        yield f"expects nothing: {expectation}"
    yield from (f"unknown key {key} in {expectation}" for key in body.keys() - known)
    yield from _bad_regexes(body)
    yield from _problems_of_matchers(body)


def _problems_of_matchers(state: Json) -> Iterator[str]:
    for kind, keys in (("agents", _AGENT), ("tasks", _TASK), ("runs", _RUN)):
        for matcher in [*(state.get(kind) or []), *(state.get(f"{kind}_none") or [])]:
            yield from (f"unknown key {key} in a matcher of {kind}" for key in matcher.keys() - keys)
            yield from _bad_regexes(matcher)


def _bad_regexes(body: Json) -> Iterator[str]:
    for key in _REGEXES:
        value = body.get(key, [])
        for pattern in [value] if isinstance(value, str) else value:
            try:
                re.compile(pattern)
            except re.error as error:
                yield f"{key} {pattern!r}: {error}"


def last_of(expectation: Json) -> Json:
    """What the last reply is to hold: in the object under ``last``, or beside ``"last": true``."""
    if isinstance(expectation["last"], dict):
        return expectation["last"]
    return {key: value for key, value in expectation.items() if key != "last"}


def span(text: str) -> timedelta:
    """The time that `90m`, `2d` or `1d6h` means.

    Raises:
        ValueError: it is no such text.
    """
    if not re.fullmatch(r"(?:\d+[smhdw])+", text):
        raise ValueError(f"no span of time: {text!r}")
    return timedelta(**{_UNITS[unit]: int(count) for count, unit in re.findall(r"(\d+)([smhdw])", text)})


def start_of(case: Json) -> datetime:
    """The moment at which a dialogue begins; UTC where it names no zone."""
    moment = datetime.fromisoformat(str(case.get("start") or _DEFAULT_START))
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
