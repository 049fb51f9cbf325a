"""The route that finds what was said."""

from __future__ import annotations

from conversation.search import ConversationSearch, Sought
from edge.api import Api
from edge.cursors import Cursors
from edge.identity import Asker, ClaimedTimeZone
from edge.parameters import Cursor, Limit
from edge.searching import (
    DEFAULT_HITS,
    AboutAgent,
    HitView,
    SearchText,
    Since,
    Until,
    period_of,
    skipped,
)
from edge.views import Page


def add_to(api: Api, search: ConversationSearch, cursors: Cursors) -> None:
    """Have the API answer it."""

    @api.get("/v1/search", summary="Search your messages, best match first", tags=["conversations"])
    def search_messages(
        caller: Asker,
        claimed_zone: ClaimedTimeZone,
        q: SearchText,
        since: Since = None,
        until: Until = None,
        agent: AboutAgent = None,
        limit: Limit = DEFAULT_HITS,
        cursor: Cursor = None,
    ) -> Page[HitView]:
        asked = (q, since or "", until or "", agent or "", str(limit))
        query = ("search", caller.tenant, caller.user, *asked)
        skip = skipped(cursors.position(cursor, *query))
        sought = Sought(q, period_of(since, until, claimed_zone), agent or None)
        hits, following = search.search(caller, sought, limit=limit, skip=skip)
        position = None if following is None else {"skip": str(following)}
        return Page(items=tuple(map(HitView.of, hits)), next_cursor=cursors.cursor(position, *query))
