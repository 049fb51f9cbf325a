"""Whatever is sent to any operation: an answer or a refusal, never a fault of ours.

`test_bad_inputs` has what must be refused in a certain way; here it is only never to break anything. Half of
what is generated keeps to the form of good input, to get further in.
"""

from __future__ import annotations

import json
import string
from collections.abc import Iterator
from datetime import date
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversation.clock import SystemClock
from edge.http import cursors
from edge.routes import docs
from tests.fakes.aws.proxy_events import Answer
from tests.fakes.deployment.deployments import Deployment
from tests.fakes.run.api_operations import Operation, operations
from tests.fakes.run.property_budget import example_settings

DOCUMENT = docs.openapi_document("")
OPERATIONS = {each.name: each for each in operations(DOCUMENT) if not each.is_public}
ALL_ROLES = "admin operator service"

TEXTS = st.text(max_size=20) | st.sampled_from(
    ["", "0" * 32, "T#other#C#1", "\0", "\ud800", "..", "%2e%2e", "null", "-1", "\u0661", "a" * 300]
)
NUMBERS = st.integers(-2, 200).map(str)
DAYS = st.sampled_from([date.min, date.max]).map(str) | st.dates().map(str) | st.datetimes().map(str)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def with_body() -> list[str]:
    return [name for name, each in OPERATIONS.items() if "requestBody" in described(each)]


def described(operation: Operation) -> dict[str, Any]:
    found: dict[str, Any] = DOCUMENT["paths"][operation.path][operation.method.lower()]
    return found


def fields_of(operation: Operation) -> list[str]:
    schema = described(operation)["requestBody"]["content"]["application/json"]["schema"]
    model = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return [*model.get("properties", {}), "other"]


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Deployment:
    return Deployment(tmp_path_factory.mktemp("data"))


def must_be_answered(answer: Answer) -> None:
    """Done, or refused as a problem."""
    assert answer.status < 500, answer.body
    if answer.status >= 400:
        assert answer.code
        assert answer.json["request_id"]


def concrete(operation: Operation, ids: str = "0" * 32) -> str:
    return operation.path.format(**dict.fromkeys(operation.path_ids, quote(ids, safe="")))


@pytest.mark.parametrize("name", with_body())
def test_no_body_breaks_an_operation(deployment: Deployment, name: str) -> None:
    operation = OPERATIONS[name]
    bodies = st.dictionaries(st.sampled_from(fields_of(operation)), VALUES, max_size=4)

    @example_settings(15)
    @given(body=bodies | VALUES.map(json.dumps) | TEXTS)
    def answered(body: object) -> None:
        path = concrete(operation).replace(f"/users/{'0' * 32}", "/users/maya")
        headers = {"Content-Type": "application/json"}
        must_be_answered(deployment.ask(operation.method, path, body=body, headers=headers, roles="admin"))

    answered()


@pytest.mark.parametrize("path", ["/v1/chat", "/v1/chat/stream", "/v1/users/maya/chat/stream"])
def test_a_good_body_is_answered(deployment: Deployment, path: str) -> None:
    answer = deployment.ask("POST", path, body={"message": "Good morning!"})
    assert answer.status == 200
    assert "event: error" not in answer.body


@pytest.mark.parametrize("name", [name for name, each in OPERATIONS.items() if each.path_ids])
def test_no_id_in_a_path_finds_or_changes_anything_it_is_not_of(deployment: Deployment, name: str) -> None:
    operation = OPERATIONS[name]
    before = deployment.written()

    @example_settings(6)
    @given(ids=TEXTS.filter(lambda text: text.encode("utf-8", "ignore").decode() == text and text != "maya"))
    def refused(ids: str) -> None:
        answer = deployment.ask(operation.method, concrete(operation, ids))
        must_be_answered(answer)
        assert answer.status >= 400

    refused()
    assert deployment.written() == before


@pytest.mark.parametrize("path", ["/v1/usage?", "/v1/search?q=hello&"])
@pytest.mark.parametrize("days", ["to=0001-01-01", "from=9999-12-31", "from=0001-01-01&to=0001-01-02"])
def test_the_first_and_the_last_day_are_days_like_any_other(
    deployment: Deployment, path: str, days: str
) -> None:
    must_be_answered(deployment.ask("GET", f"{path}{days}"))


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name.startswith("GET ")])
def test_no_query_breaks_a_list(deployment: Deployment, name: str) -> None:
    operation = OPERATIONS[name]
    known = [each["name"] for each in described(operation).get("parameters", ()) if each["in"] == "query"]
    names = st.sampled_from([*known, "other"]) | TEXTS

    @example_settings(12)
    @given(query=st.lists(st.tuples(names, TEXTS | NUMBERS | DAYS), max_size=3))
    def answered(query: list[tuple[str, str]]) -> None:
        text = "&".join(
            f"{quote(name, errors='replace')}={quote(value, errors='replace')}" for name, value in query
        )
        must_be_answered(deployment.ask("GET", f"{concrete(operation)}?{text}", roles=ALL_ROLES))

    answered()


HEADERS = ("Accept", "Content-Type", "Idempotency-Key", "X-OmniForge-User", "Origin", "Host", "X-Request-Id",
           "Authorization", "Content-Length", "X-HTTP-Method-Override")  # fmt: skip


@example_settings(60)
@given(
    headers=st.dictionaries(st.sampled_from(HEADERS) | TEXTS, TEXTS, max_size=4),
    roles=st.sampled_from(["", "service"]),
)
def test_no_header_breaks_a_turn(deployment: Deployment, headers: dict[str, str], roles: str) -> None:
    body = {"message": "Good morning!"}
    must_be_answered(deployment.ask("POST", "/v1/chat", body=body, headers=headers, roles=roles))


@example_settings(40)
@given(key=st.text(alphabet=st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=255))
def test_any_visible_key_gets_the_same_answer_twice(deployment: Deployment, key: str) -> None:
    first, again = (
        deployment.ask(
            "POST", "/v1/chat", body={"message": "Good morning!"}, headers={"Idempotency-Key": key}
        )
        for _ in range(2)
    )
    assert (first.status, again.status) == (200, 200)
    assert first.body == again.body


LISTS = ("/v1/conversations", "/v1/tasks", "/v1/agents", "/v1/export", "/v1/tenant/conversations")


@pytest.fixture(scope="module")
def next_pages(deployment: Deployment) -> dict[str, str]:
    """A cursor of each list, of somebody who has a few of everything."""
    for number in range(3):
        deployment.send("POST", "/v1/chat", {"message": f"Add a task to buy {number} apples"}, user="lister")
        deployment.send("POST", "/v1/agents", {"what": f"tickets {number}"}, user="lister")
    return dict(_cursors(deployment))


def _cursors(deployment: Deployment) -> Iterator[tuple[str, str]]:
    for path in LISTS:
        query = "" if path == "/v1/export" else "?limit=1"
        answer = deployment.ask("GET", f"{path}{query}", user="lister", roles="admin")
        cursor = answer.headers.get("next-cursor") or (answer.json.get("next_cursor") if query else None)
        if cursor:
            yield path, cursor


BASE64 = f"{string.ascii_letters}{string.digits}-_"


@example_settings(120)
@given(data=st.data())
def test_a_changed_cursor_leads_nowhere(
    deployment: Deployment, next_pages: dict[str, str], data: st.DataObject
) -> None:
    path = data.draw(st.sampled_from(sorted(next_pages)))
    good = next_pages[path]
    at, length = data.draw(st.integers(0, len(good) - 1)), data.draw(st.integers(0, 4))
    # One letter of base64 for another mostly leaves it a text of JSON, with another letter in it.
    letter = data.draw(st.sampled_from(BASE64))
    one_other = good[:at] + letter + good[at + 1 :]
    changed = data.draw(
        st.just(one_other) | st.text(max_size=4).map(lambda text: good[:at] + text + good[at + length :])
    )
    answer = deployment.ask(
        "GET", f"{path}?limit=1&cursor={quote(changed, errors='replace')}", user="lister", roles="admin"
    )
    if changed != good:
        assert (answer.status, answer.code) in {(400, "cursor_invalid"), (400, "query_unknown")}


PLACES = ["pk", "sk", "by_user", "by_tenant", "updated_at", "created_at", "before", "after", "skip", "x"]
PARTS = ["T#acme#C#", "T#acme-eu#ALL", "T#acme#U#maya", "HEAD", "9" * 40]
POSITIONS = st.dictionaries(
    st.sampled_from(PLACES),
    TEXTS.filter(lambda text: text != "\ud800") | st.sampled_from(PARTS),
    max_size=4,
)
QUERIES = {
    "/v1/conversations": ("conversations", "{tenant}", "{user}", "{limit}", "active"),
    "/v1/tasks": ("tasks", "{tenant}", "{user}", "None", "False", "{limit}"),
    "/v1/agents": ("agents", "{tenant}", "{user}", "False", "{limit}"),
    "/v1/runs": ("runs", "{tenant}", "{user}", "{limit}"),
    "/v1/search": ("search", "{tenant}", "{user}", "apples", "", "", "", "{limit}"),
}


def query_of(path: str, **caller: str) -> tuple[str, ...]:
    """What a cursor of the list has to belong to."""
    return tuple(part.format(**caller) for part in QUERIES[path])


def test_whoever_reads_our_code_can_make_up_cursors(next_pages: dict[str, str]) -> None:
    for path in next_pages.keys() & QUERIES.keys():
        query = query_of(path, tenant="acme", user="lister", limit="1")
        assert cursors.decode_cursor(next_pages[path], query=query, now=SystemClock().now())


@example_settings(150)
@given(position=POSITIONS, path=st.sampled_from(sorted(QUERIES)))
def test_a_made_up_cursor_breaks_nothing_and_shows_nothing_of_others(
    deployment: Deployment, next_pages: dict[str, str], position: dict[str, str], path: str
) -> None:
    caller = {"tenant": "acme-eu", "user": "stranger"}
    cursor = cursors.encode_cursor(
        position, query=query_of(path, **caller, limit="7"), now=SystemClock().now()
    )
    words = "&q=apples" if path == "/v1/search" else ""
    answer = deployment.ask("GET", f"{path}?limit=7&cursor={cursor}{words}", **caller)
    must_be_answered(answer)
    assert answer.status == 400 or answer.json["items"] == []
