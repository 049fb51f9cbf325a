"""Compares what a command printed with what its page shows: statuses, codes, names and words.

Ids, moments and numbers differ from run to run, so only their places are compared. ``…`` stands for what the
page leaves out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from tests.documented.pages import Command

_STATUS = re.compile(r"^([2-5]\d\d)\b(?: ([a-z]+(?:_[a-z]+)+))?")
_STATUS_LINE = re.compile(r"^HTTP/\S+ (\d{3})")
_MEMBER = re.compile(r'"(\w+)":\s*("(?:[^"\\]|\\.)*"|-?\d[\d.]*|true|false|null)?')
_CHANGING = re.compile(r"[0-9A-Z]{8,}|[0-9a-f]{12,}|\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?|[\w-]*\d[\w-]*…|…")
"""What is another one in each run: ids, moments, and what the page leaves out."""


def differences(command: Command, printed: str, statuses: Sequence[int]) -> list[str]:
    """Return in words what the page says of a command and what did not come."""
    if command.is_exact:
        shown = "\n".join(command.shown).strip()
        return [] if printed.strip() == shown else [f"printed {printed.strip()!r}, not {shown!r}"]
    return [
        *_wrong_status(command, printed, statuses),
        *_missing_members(command, printed),
        *_missing_lines(command, printed),
    ]


def _wrong_status(command: Command, printed: str, statuses: Sequence[int]) -> Iterator[str]:
    said = _STATUS.match(command.remark) or next(
        (found for line in command.shown if (found := _STATUS_LINE.match(line))), None
    )
    if said is None:
        yield from (f"status {status}: {printed[:400]}" for status in statuses if not 200 <= status < 400)
        return
    if list(statuses) != [int(said[1])]:
        yield f"status {list(statuses)}, not {said[1]}: {printed[:400]}"
    code = said[2] if len(said.groups()) > 1 else None
    if code and f'"{code}"' not in printed:
        yield f"no code {code!r} in {printed[:400]}"


def _missing_members(command: Command, printed: str) -> Iterator[str]:
    shown = "\n".join(line for line in (command.remark, *command.shown) if '":' in line)
    there = list(_members(_documents(printed)))
    for name, text in _MEMBER.findall(shown):
        values = [value for found, value in there if found == name]
        if not values:
            yield f"no member {name!r} in {printed[:600]}"
        elif text and not any(_is_alike(json.loads(text), value) for value in values):
            yield f"{name!r} is {values[:3]!r}, not {text}"


def _is_alike(shown: Any, value: Any) -> bool:
    if not isinstance(shown, str):
        return type(shown) is type(value) and (shown == value or not isinstance(shown, bool))
    return isinstance(value, str) and _pattern(shown).fullmatch(value) is not None


def _pattern(shown: str) -> re.Pattern[str]:
    parts = re.split(f"({_CHANGING.pattern})", shown)
    return re.compile(
        "".join(".*" if place % 2 else re.escape(part) for place, part in enumerate(parts)), re.DOTALL
    )


def _missing_lines(command: Command, printed: str) -> Iterator[str]:
    """Look for the lines that are no JSON, in their order; a number stands for any."""
    left = iter(printed.splitlines())
    for line in command.shown:
        if '":' in line or not line.strip(" …"):
            continue
        wanted = re.compile(re.sub(r"\d+", r"\\d+", _pattern(line).pattern), re.IGNORECASE)
        if not any(wanted.match(found.strip()) for found in left):
            yield f"no line {line!r} in its place in {printed[:600]}"
            return


def _documents(printed: str) -> Iterator[Any]:
    """Yield the JSON documents among the output: its lines, frames of a stream, or documents in a row."""
    decoder = json.JSONDecoder()
    place = 0
    while (place := printed.find("{", place)) >= 0:
        try:
            document, place = decoder.raw_decode(printed, place)
        except json.JSONDecodeError:
            place += 1
        else:
            yield document


def _members(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name, inner
            yield from _members(inner)
    elif not isinstance(value, str | int | float | bool | None):
        for inner in value:
            yield from _members(inner)
