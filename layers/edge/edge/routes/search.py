"""The route that searches a user's messages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, tzinfo
from typing import Annotated
from zoneinfo import ZoneInfo

from aws_lambda_powertools.event_handler.openapi.params import Query
from pydantic import Field

from conversation.messages.attached_files import AttachedFile
from conversation.messages.models import Role, Status
from conversation.search.query import MAX_CHARACTERS
from conversation.search.reader import Period
from conversation.search.service import ConversationSearch, Hit, SearchRequest
from edge.http import cursors
from edge.http.caller import CallerParam, ClaimedTimeZoneParam
from edge.http.cursors import CursorCodec
from edge.http.parameters import CursorParam, LimitParam
from edge.http.problems import Problem
from edge.http.resolver import HttpApi
from edge.views.base import Moment, Page, View

DEFAULT_HITS = 20
_MAX_DATE, _MAX_AGENT = 40, 128
_PLACE = re.compile(r"[0-9]{1,9}")

SearchText = Annotated[
    str,
    Query(
        alias="q",
        json_schema_extra={"minLength": 1},
        max_length=MAX_CHARACTERS,
        description='Words (in any form), `"phrases"` and `begin*`. All of them have to be in a message.',
    ),
]
Since = Annotated[
    str | None,
    Query(alias="from", max_length=_MAX_DATE, description="Said at or after: a date, or a date and time."),
]
Until = Annotated[
    str | None,
    Query(alias="to", max_length=_MAX_DATE, description="Said at or before: a date, or a date and time."),
]
AboutAgent = Annotated[
    str | None,
    Query(alias="agent", max_length=_MAX_AGENT, description="Only turns about the agent of this name or id."),
]


class Match(View):
    """A matching part of a snippet, in characters (not bytes); `end` is exclusive."""

    start: int
    end: int


class SnippetView(View):
    """The part of a message, or of one of its files, that shows why it was found."""

    text: str
    matches: tuple[Match, ...]


class HitView(View):
    """A message that was found."""

    conversation_id: str
    conversation_title: str | None
    conversation_status: Status
    message_id: str
    sequence: int = Field(description="Its place in the conversation, counted from 1.")
    role: Role
    created_at: Moment
    snippet: SnippetView
    attachment: AttachedFile | None = Field(
        description="The file of the message that the snippet is from; null: it is from what was said."
    )
    score: float = Field(description="How well it matches; comes to something only beside the others.")

    @classmethod
    def of(cls, hit: Hit) -> HitView:
        """The hit as its user sees it."""
        matches = tuple(Match(start=start, end=end) for start, end in hit.snippet.matches)
        return cls(
            conversation_id=hit.conversation.id,
            conversation_title=hit.conversation.title,
            conversation_status=hit.conversation.status,
            message_id=hit.message.id,
            sequence=hit.message.sequence,
            role=hit.message.role,
            created_at=hit.message.created_at,
            snippet=SnippetView(text=hit.snippet.text, matches=matches),
            attachment=hit.file,
            score=hit.score,
        )


def parse_period(since: str | None, until: str | None, time_zone: str | None) -> Period:
    """The period from ``from`` to ``to``; where they name no time zone, ``time_zone`` applies (None: UTC).

    Raises:
        Problem: query_invalid for a malformed moment, or a period that ends before it begins.
    """
    zone: tzinfo = ZoneInfo(time_zone) if time_zone else UTC
    first = _moment("from", since, time.min, zone)
    last = _moment("to", until, time.max, zone)
    if first is not None and last is not None and first > last:
        raise Problem("query_invalid", "from: it lies behind to.")
    return Period(first, last)


def parse_skip(position: Mapping[str, str] | None) -> int:
    """How many candidates of the search index come before the page.

    Raises:
        Problem: cursor_invalid for a malformed position.
    """
    if position is None:
        return 0
    place = position.get("skip", "")
    if position.keys() != {"skip"} or not _PLACE.fullmatch(place):
        raise cursors.invalid_cursor()
    return int(place)


def _moment(name: str, text: str | None, at: time, zone: tzinfo) -> datetime | None:
    if text is None:
        return None
    try:
        is_day = len(text) == len("2026-01-31")
        moment = datetime.combine(date.fromisoformat(text), at) if is_day else datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        detail = f"{name}: expected 2026-01-31, or 2026-01-31T09:00:00Z."
        raise Problem("query_invalid", detail) from None


def register_routes(api: HttpApi, search: ConversationSearch, cursors: CursorCodec) -> None:
    """Registers the route with the API."""

    @api.get("/v1/search", summary="Search your messages, best match first", tags=["conversations"])
    def search_messages(
        caller: CallerParam,
        claimed_zone: ClaimedTimeZoneParam,
        q: SearchText,
        since: Since = None,
        until: Until = None,
        agent: AboutAgent = None,
        limit: LimitParam = DEFAULT_HITS,
        cursor: CursorParam = None,
    ) -> Page[HitView]:
        parameters = (q, since or "", until or "", agent or "", str(limit))
        query = ("search", caller.tenant, caller.user, *parameters)
        skip = parse_skip(cursors.position(cursor, *query))
        request = SearchRequest(q, parse_period(since, until, claimed_zone), agent or None)
        hits, following = search.search(caller, request, limit=limit, skip=skip)
        position = None if following is None else {"skip": str(following)}
        return Page(items=tuple(map(HitView.of, hits)), next_cursor=cursors.cursor(position, *query))
