"""A web search tool that uses Tavily's API or a compatible server.

Without a key the tool is not offered. The result pages themselves are not fetched.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from tools.builtin.search_words import MAX_QUERY_CHARACTERS, limit_query
from tools.errors import ToolError
from tools.outbound.client import OutboundClient
from tools.outbound.urls import parse_url
from tools.tool import WEB, Tool, ToolAccess, ToolContext

MOST_RESULTS = 5
MAX_ANSWER_BYTES = 1_000_000
TIMEOUT_S = 5.0
_MAX_TEXT_CHARACTERS = 1_000
_ACCESS = ToolAccess(origin=WEB, reads_outside=True, leaves=True, limits_words=True)


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """The address of the search API and a function that returns its key on demand."""

    url: str
    key: Callable[[], str | None]


class WebPage(BaseModel):
    """One page of the results."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="ignore")

    title: str = ""
    url: str
    content: str = Field(default="", description="what of the page fits the question")


class WebSearchResults(BaseModel):
    """The results of a search, best first."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="ignore")

    results: tuple[WebPage, ...]


class WebSearch:
    """Searches through one server; redirects to another host are refused."""

    def __init__(self, settings: SearchSettings, outbound: OutboundClient) -> None:
        self._settings = settings
        self._outbound = outbound

    def tool(self) -> Tool:
        """Returns the search tool."""
        return Tool.of(self.web_search, access=_ACCESS, timeout_s=TIMEOUT_S + 1)

    def web_search(
        self,
        context: ToolContext,
        query: Annotated[
            str,
            StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUERY_CHARACTERS),
            Field(description="what to look for, in a few words"),
        ],
    ) -> WebSearchResults:
        """Search the web for current or unknown facts. Returns titles, addresses and excerpts of pages."""
        key = self._settings.key()
        if key is None:
            raise ToolError("unavailable", "Web search is not set up.")
        question = {
            "query": _sent_query(query, context),
            "max_results": MOST_RESULTS,
            "search_depth": "basic",
        }
        answer = self._outbound.post(
            self._settings.url,
            json.dumps(question).encode(),
            {"Content-Type": "application/json", "Authorization": f"Bearer {key}"},
            timeout_s=TIMEOUT_S,
            max_bytes=MAX_ANSWER_BYTES,
            hosts=frozenset({parse_url(self._settings.url).host}),
        )
        if answer.status != 200:
            raise ToolError("unavailable", f"The search answered with the status {answer.status}.")
        return _shortened(answer.body)


def _sent_query(query: str, context: ToolContext) -> str:
    """Returns what of the query is sent: the user's own words, when they are known."""
    if context.own_words is None:
        return query
    limited = limit_query(
        query, context.own_words, context.now.astimezone(ZoneInfo(context.time_zone)).date()
    )
    if not limited:
        raise ToolError("invalid_arguments", "Search for words of the user's message.")
    return limited


def _shortened(body: bytes) -> WebSearchResults:
    try:
        found = WebSearchResults.model_validate_json(body)
    except ValidationError:
        raise ToolError("result_invalid", "The search answered something that can't be read.") from None
    return WebSearchResults(results=tuple(map(_shortened_hit, found.results[:MOST_RESULTS])))


def _shortened_hit(hit: WebPage) -> WebPage:
    texts = {"title": hit.title, "url": hit.url, "content": hit.content}
    return WebPage(**{name: text[:_MAX_TEXT_CHARACTERS] for name, text in texts.items()})
