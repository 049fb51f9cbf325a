"""Searching over HTTP: what is asked for, what is answered, what is refused."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from urllib.parse import quote

import pytest

from conversation.clock import SystemClock
from conversation.identity import Caller
from conversation.search.index import SearchIndex
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.aws.proxy_events import Answer, request
from tests.fakes.data.stored_conversations import ConversationWriter
from tests.fakes.deployment.functions import invoke, load, settings

MAYA = Caller(TenantId("acme"), "maya")


@pytest.fixture
def function(tmp_path: Path) -> ModuleType:
    """The conversations function, over a table in which Maya said five things about soup."""
    table, clock = SqliteTable(tmp_path / "omniforge.db"), SystemClock()
    spoken, index = ConversationWriter(table, clock), SearchIndex(tables=Tables(table), clock=clock)
    home = spoken.begin(MAYA, title="Dinner")
    for number in range(5):
        reply = spoken.write_turn(MAYA, home, f"Soup number {number} needs salt.")
        index.enqueue(MAYA.tenant, home, reply.sequence)
    return load("conversations", settings(tmp_path))


def ask(function: ModuleType, query: str, *, user: str = "maya") -> Answer:
    return invoke(function, request("GET", f"/v1/search?{query}", user=user))


def test_a_hit_names_its_conversation_and_marks_what_matched(function: ModuleType) -> None:
    said = ask(function, "q=soup+3")
    assert said.status == 200, said.body
    [hit] = said.json["items"]
    assert said.json["next_cursor"] is None
    assert (hit["conversation_title"], hit["conversation_status"]) == ("Dinner", "active")
    assert (hit["role"], hit["sequence"]) == ("user", 7)
    text = hit["snippet"]["text"]
    assert [text[each["start"] : each["end"]] for each in hit["snippet"]["matches"]] == ["Soup", "3"]


def test_a_cursor_goes_on_where_the_page_ended(function: ModuleType) -> None:
    seen, cursor = [], ""
    while True:
        page = ask(function, f"q=soup&limit=2{cursor}").json
        seen += [hit["message_id"] for hit in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert len(set(seen)) == len(seen) == 5


def test_a_cursor_belongs_to_its_search_and_its_user(function: ModuleType) -> None:
    cursor = ask(function, "q=soup&limit=2").json["next_cursor"]
    for query, user in (("q=salt&limit=2", "maya"), ("q=soup&limit=3", "maya"), ("q=soup&limit=2", "noah")):
        refused = ask(function, f"{query}&cursor={cursor}", user=user)
        assert (refused.status, refused.json["code"]) == (400, "cursor_invalid")


def test_a_period_may_be_given_in_days(function: ModuleType) -> None:
    assert len(ask(function, "q=soup&from=2020-01-01&to=2999-12-31").json["items"]) == 5
    assert ask(function, "q=soup&to=2020-01-01").json["items"] == []
    assert ask(function, "q=soup&from=2999-01-01T00:00:00Z").json["items"] == []


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("", "query_invalid"),
        ("q=", "query_invalid"),
        ("q=the", "query_invalid"),
        (f"q={'x' * 501}", "query_invalid"),
        ("q=soup&q=salt", "query_invalid"),
        ("q=soup&from=yesterday", "query_invalid"),
        ("q=soup&from=2026-02-30", "query_invalid"),
        ("q=soup&from=0001-01-01T00:00:00%2B14:00", "query_invalid"),
        ("q=soup&from=2026-03-02&to=2026-03-01", "query_invalid"),
        ("q=soup&limit=0", "query_invalid"),
        ("q=soup&limit=101", "query_invalid"),
        ("q=soup&order=date", "query_unknown"),
        ("q=soup&cursor=bm90IG91cnM", "cursor_invalid"),
    ],
)
def test_what_cant_be_searched_for_is_refused(function: ModuleType, query: str, code: str) -> None:
    refused = ask(function, query)
    assert (refused.status, refused.json["code"]) == (400, code), refused.body


@pytest.mark.parametrize("text", ["a:b|c#d", "|", ":x:", "@me soup", "\u0000soup", "soup\u2028", "😀soup"])
def test_no_character_of_a_search_means_anything_to_the_index(function: ModuleType, text: str) -> None:
    said = ask(function, f"q={quote(text)}")
    assert said.status in (200, 400), said.body
    assert "internal" not in said.body
