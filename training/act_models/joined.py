"""Messages of several acts, made by joining messages that were written with one act each."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_JOINTS = (
    ", and ", " and ", ", ", ". ", "; ", " then ", ", then ", ". Also ", ". And ", " \u2013 ", ", also ",
    "! ", " plus ", " ", ". Then ", ", but ", "\n",
)  # fmt: skip
_MOST_CHARACTERS = 140
_ALONE = frozenset({"social", "none", "unsure", "later", "yes", "no", "pick", "answer"})
"""Kinds that hardly stand beside another act with nothing asked."""


def join_messages(among: Sequence[Mapping[str, Any]], count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield ``count`` messages of two or three acts, each from messages of the same author."""
    chance = random.Random(seed)
    usable = [
        one
        for one in among
        if len(one["acts"]) == 1 and not one.get("asked") and not one.get("focus") and not one.get("scene")
        and len(one["say"]) < _MOST_CHARACTERS and one["acts"][0]["k"] not in _ALONE
    ]  # fmt: skip
    for number in range(count if len(usable) > 3 else 0):
        parts = chance.sample(usable, 3 if chance.random() < 0.2 else 2)
        yield _joined(parts, [chance.choice(_JOINTS) for _ in parts], number)


def _joined(parts: Sequence[Mapping[str, Any]], joints: Sequence[str], number: int) -> dict[str, Any]:
    said, acts = "", []
    for part, joint in zip(parts, joints, strict=True):
        text = part["say"].strip()
        if said:
            said = said.rstrip(".!") if said[-1] in ".!" else said
            small = joint[-1] == " " and joint.strip() not in {".", "!"} and not text[:2].isupper()
            said += joint + (text[0].lower() + text[1:] if small else text)
        else:
            said = text
        acts.append(part["acts"][0])
    lowered = said.lower()
    return {
        "id": f"joined-{number}",
        "say": said,
        "acts": [_found(act, said, lowered) for act in acts],
        "agents": _merged(parts, "agents"),
        "tasks": _merged(parts, "tasks"),
    }


def _found(act: Mapping[str, Any], said: str, lowered: str) -> dict[str, Any]:
    """Return the act with its texts as they are now: the first letter may have become small."""

    def now(text: str) -> str:
        at = said.find(text)
        at = lowered.find(text.lower().rstrip(".!")) if at < 0 else at
        return said[at : at + len(text.rstrip(".!"))] if at >= 0 else ""

    return {
        name: value if name == "k" or isinstance(value, bool)
        else [now(str(text)) for text in value] if isinstance(value, list) else now(str(value))
        for name, value in act.items()
    }  # fmt: skip


def _merged(parts: Sequence[Mapping[str, Any]], name: str) -> list[Any]:
    found: list[Any] = []
    for part in parts:
        found += [one for one in part.get(name, ()) if one not in found]
    return found[:6]
