"""Web search against a server that speaks like Tavily's, and against one that doesn't behave."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime

import pytest

from conversation.clock import Deadline, SystemClock
from conversation.identity import Caller
from storage.keys import TenantId
from tests.fakes.http.servers import Answering, Site, fixed_answer
from tools.builtin.web_search import SearchSettings, WebSearch
from tools.outbound.client import OutboundClient
from tools.tool import ToolContext, ToolResult

FOUND = {
    "query": "weather",
    "answer": None,
    "results": [
        {"title": f"Page {number}", "url": "https://example.com", "content": "c" * 5_000, "score": 0.9}
        for number in range(8)
    ],
}


def search(
    site: Site, *, key: str | None = "tvly-key", own_words: str | None = None, **arguments: object
) -> ToolResult:
    settings = SearchSettings(site.url("/search"), lambda: key)
    context = ToolContext(
        caller=Caller(TenantId("acme"), "maya"),
        now=datetime(2026, 3, 2, tzinfo=UTC),
        time_zone="UTC",
        step_id="t.1",
        deadline=Deadline.after(SystemClock(), 60),
        own_words=own_words,
    )
    tool = WebSearch(settings, OutboundClient(allow_loopback=True)).tool()
    return tool.call(json.dumps(arguments or {"query": "weather in Berlin"}), context)


def test_what_was_found_comes_back_short() -> None:
    with Site(fixed_answer(json.dumps(FOUND).encode())) as site:
        result = search(site)
    assert isinstance(result.data, dict)
    results = result.data["results"]
    assert isinstance(results, list)
    assert len(results) == 5
    assert len(result.to_model_json()) < 8_000


def test_the_question_and_the_key_arrive() -> None:
    with Site(fixed_answer(json.dumps(FOUND).encode())) as site:
        search(site)
    [seen] = site.requests
    assert (seen.method, seen.path) == ("POST", "/search")
    assert seen.headers["authorization"] == "Bearer tvly-key"
    assert json.loads(seen.body)["query"] == "weather in Berlin"


def test_for_a_message_only_its_own_words_are_sent() -> None:
    with Site(fixed_answer(json.dumps(FOUND).encode())) as site:
        search(site, own_words="How is the weather in Berlin?", query="Berlin weather, salary 84,200")
        nothing = search(site, own_words="", query="salary 84,200")
    [seen] = site.requests
    assert json.loads(seen.body)["query"] == "Berlin weather"
    assert nothing.error_code == "invalid_arguments"


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (fixed_answer(b'{"detail": "no credit"}', status=432), "unavailable"),
        (fixed_answer(b"<html>"), "result_invalid"),
        (fixed_answer(b'{"results": "none"}'), "result_invalid"),
        (fixed_answer(b"{}"), "result_invalid"),
        (fixed_answer(b"x" * 2_000_000), "too_large"),
        (fixed_answer(gzip.compress(b"0" * 50_000_000), Content_Encoding="gzip"), "too_large"),
        (fixed_answer(b"", status=302, Location="http://localhost:9999/"), "url_blocked"),
        (fixed_answer(b"", status=302, Location="http://169.254.169.254/"), "url_blocked"),
    ],
    ids=["refused", "no JSON", "odd results", "no results", "huge", "bomb", "elsewhere", "metadata"],
)
def test_a_server_that_misbehaves_is_told_to_the_model(answer: Answering, code: str) -> None:
    with Site(answer) as site:
        result = search(site)
    assert (result.ok, result.error_code) == (False, code)
    assert "tvly-key" not in result.to_model_json()


def test_without_a_key_nothing_is_asked() -> None:
    with Site(fixed_answer(b"{}")) as site:
        assert search(site, key=None).error_code == "unavailable"
    assert site.requests == []


@pytest.mark.parametrize("query", ["", "   ", "x" * 401, 5])
def test_a_query_has_a_form(query: object) -> None:
    with Site(fixed_answer(b"{}")) as site:
        assert search(site, query=query).error_code == "invalid_arguments"
    assert site.requests == []
