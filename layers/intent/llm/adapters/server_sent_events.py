"""Reads the data of server-sent events from a body that arrives in pieces."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from llm.errors import ModelOutputInvalid

DONE = "[DONE]"


def json_events(pieces: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the object of each event until the end, or until the mark ``[DONE]``.

    Raises:
        ModelOutputInvalid: an event is not a JSON object.
    """
    for line in _lines(pieces):
        field, _, value = line.partition(":")
        if field != "data":
            continue
        if (data := value.strip()) == DONE:
            return
        try:
            event = json.loads(data)
        except ValueError:
            raise ModelOutputInvalid from None
        if not isinstance(event, dict):
            raise ModelOutputInvalid
        yield event


def _lines(pieces: Iterable[bytes]) -> Iterator[str]:
    begun: list[bytes] = []
    for piece in pieces:
        *ended, rest = piece.split(b"\n")
        for line in ended:
            yield _text(b"".join((*begun, line)))
            begun.clear()
        if rest:
            begun.append(rest)
    if begun:
        yield _text(b"".join(begun))


def _text(line: bytes) -> str:
    try:
        return line.decode().rstrip("\r")
    except UnicodeDecodeError:
        raise ModelOutputInvalid from None
