"""Cursors: opaque texts that say where the next page of a list begins.

A cursor holds a position, its time of issue and a digest over both and the query. The digest reveals a
damaged cursor and one of another list. It is no signature and needs no secret, because a position is only
looked up within the partition that the token names.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta

from conversation.clock import Clock
from conversation.identity import derived_id
from edge.http.base64url import decode_base64url, encode_base64url
from edge.http.problems import Problem

LIFETIME = timedelta(hours=24)
MAX_CHARACTERS = 2_048


class CursorCodec:
    """Writes and reads the cursors of any list, by one clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def position(self, cursor: str | None, *query: str) -> dict[str, str] | None:
        """The position where the page begins; None without a cursor: at the start of the list.

        Raises:
            Problem: as `decode_cursor`.
        """
        return None if cursor is None else decode_cursor(cursor, query=query, now=self._clock.now())

    def cursor(self, position: Mapping[str, str] | None, *query: str) -> str | None:
        """The cursor of the next page; None when there is none."""
        return None if position is None else encode_cursor(position, query=query, now=self._clock.now())


def encode_cursor(position: Mapping[str, str], *, query: tuple[str, ...], now: datetime) -> str:
    """The cursor of a position in a query. ``query`` has to hold everything that tells two queries apart."""
    moment = int(now.timestamp())
    content = {"p": dict(position), "t": moment, "d": _digest(position, moment, query)}
    return encode_base64url(json.dumps(content, separators=(",", ":")).encode())


def decode_cursor(cursor: str, *, query: tuple[str, ...], now: datetime) -> dict[str, str]:
    """The position in a cursor of the same query.

    Raises:
        Problem: cursor_invalid for anything but an unaltered cursor of this query; cursor_expired after 24
            hours.
    """
    content = _content(cursor)
    position, moment = _position(content.get("p")), content.get("t")
    if type(moment) is not int or content.keys() != {"p", "t", "d"}:
        raise invalid_cursor()
    if content["d"] != _digest(position, moment, query):
        raise invalid_cursor()
    if now.timestamp() - moment > LIFETIME.total_seconds():
        raise Problem("cursor_expired", "The cursor is older than 24 hours: begin the list anew.")
    return position


def _position(value: object) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(member, str) for member in value.values()):
        raise invalid_cursor()
    return value


def _content(cursor: str) -> dict[str, object]:
    try:
        content = json.loads(decode_base64url(cursor))
    except (ValueError, RecursionError):
        raise invalid_cursor() from None
    if not isinstance(content, dict):
        raise invalid_cursor()
    return content


def _digest(position: Mapping[str, str], moment: int, query: tuple[str, ...]) -> str:
    parts = (text for name in sorted(position) for text in (name, position[name]))
    return derived_id("cursor", str(moment), *parts, "of", *query)


def invalid_cursor() -> Problem:
    """The problem for a cursor that is not one of ours, or belongs to another list."""
    return Problem("cursor_invalid", "The cursor does not belong to this list.")
