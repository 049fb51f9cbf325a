"""Content negotiation: the media types that the header ``Accept`` asks for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set

_WEIGHT = re.compile(r"q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)")


def parse_accept(accept: str) -> dict[str, float]:
    """The media types and ranges in the header, in lower case, each with its weight: 0 (refused) to 1."""
    found = {}
    for part in accept.split(","):
        media_type, *parameters = (piece.strip().lower() for piece in part.split(";"))
        stated = (_WEIGHT.fullmatch(each) for each in parameters)
        found[media_type] = next((float(weight[1]) for weight in stated if weight), 1.0)
    return found


def best_weight(accept: str, types: Iterable[str]) -> float:
    """The highest weight that the header gives to one of the types and ranges; 0 when it names none."""
    stated = parse_accept(accept)
    return max((stated.get(each, 0.0) for each in types), default=0.0)


def documented_types(responses: Mapping[int, Mapping[str, object]] | None) -> Set[str]:
    """The media types that a route documents for its status 200, and their ranges."""
    content = (responses or {}).get(200, {}).get("content")
    types = content.keys() if isinstance(content, Mapping) else ()
    return {*types, *(f"{each.partition('/')[0]}/*" for each in types)}
