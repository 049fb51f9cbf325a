"""What must not get in: each row with its status and code, as problem+json, nothing repeated and nothing
written.

The functions are the real ones, invoked with events as API Gateway sends them, over a SQLite file. Tokens and
settings that must not pass are tried in ``tests/unit/edge``. Source of the ids in front: the table of bad
inputs this API was specified with.
"""

from __future__ import annotations

import base64
import json
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as trying
from hypothesis import strategies as st

from tests.fakes import functions
from tests.fakes.gateway import Answer, request

CHAT = "/v1/chat"
HIDDEN = "hunter2"


@dataclass(frozen=True)
class Service:
    """The functions of one deployment, and everything they wrote."""

    folder: Path
    chat_function: ModuleType
    conversations_function: ModuleType
    workspace_function: ModuleType
    tenants_function: ModuleType

    def chat(self, body: object, **options: Any) -> Answer:
        return functions.invoke(self.chat_function, request("POST", CHAT, body=body, **options))

    def conversations(self, method: str, path: str, **options: Any) -> Answer:
        event = request(method, f"/v1/conversations{path}", **options)
        return functions.invoke(self.conversations_function, event)

    def workspace(self, method: str, path: str, **options: Any) -> Answer:
        return functions.invoke(self.workspace_function, request(method, f"/v1/{path}", **options))

    def tenants(self, method: str, path: str, **options: Any) -> Answer:
        return functions.invoke(self.tenants_function, request(method, f"/v1/tenants/{path}", **options))

    def written(self) -> list[str]:
        with sqlite3.connect(self.folder / "omniforge.db") as connection:
            return list(connection.iterdump())

    def messages(self, conversation_id: str) -> list[dict[str, Any]]:
        listed = self.conversations("GET", f"/{conversation_id}/messages?limit=100")
        return list(listed.json["items"])


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Service:
    folder = tmp_path_factory.mktemp("data")
    settings = functions.settings(folder, OMNIFORGE_CLOCK_FILE=str(folder / "clock"))
    names = ("chat", "conversations", "workspace", "tenants")
    return Service(folder, *(functions.load(name, settings) for name in names))


def must_refuse(service: Service, send: Callable[[], Answer], status: int, code: str) -> None:
    before = service.written()
    refused = send()
    assert (refused.status, refused.code) == (status, code)
    assert HIDDEN not in refused.body
    assert HIDDEN not in str(refused.headers)
    assert service.written() == before


def message(**members: object) -> dict[str, object]:
    return {"message": "hello", **members}


BODIES = [
    ("A1", "", 400, "body_missing"),
    ("A3", "{", 400, "json_invalid"),
    ("A4", f'{{"message":"{HIDDEN}",}}', 400, "json_invalid"),
    ("A6 array", "[]", 400, "body_not_object"),
    ("A6 text", f'"{HIDDEN}"', 400, "body_not_object"),
    ("A6 number", "1", 400, "body_not_object"),
    ("A6 truth", "true", 400, "body_not_object"),
    ("A7", "\ufeff" + json.dumps(message()), 400, "json_invalid"),
    ("A9 nan", '{"message":NaN}', 400, "json_invalid"),
    ("A9 infinity", '{"message":-Infinity}', 400, "json_invalid"),
    ("A10", '{"message":"a","x":1e400}', 400, "json_number_range"),
    ("A10 integer", '{"message":"a","metadata":{"x":' + "9" * 5_000 + "}}", 400, "json_number_range"),
    ("A12", "[" * 2_000, 400, "json_too_deep"),
    ("A13", '{"a":' * 100_000, 400, "json_too_deep"),
    ("A15 + 1", '{"message":"a","metadata":' + '{"a":' * 33 + "1" + "}" * 34, 400, "json_too_deep"),
    ("A16", f'{{"message":"a","message":"{HIDDEN}"}}', 400, "json_duplicate_key"),
    ("A18", '{"message":null}', 400, "field_type"),
    ("A19 number", '{"message":1}', 400, "field_type"),
    ("A19 truth", '{"message":true}', 400, "field_type"),
    ("A19 array", f'{{"message":["{HIDDEN}"]}}', 400, "field_type"),
    ("A19 object", '{"message":{}}', 400, "field_type"),
    ("A19 id", '{"message":"a","conversation_id":1}', 400, "field_type"),
    ("A19 metadata", f'{{"message":"a","metadata":"{HIDDEN}"}}', 400, "field_type"),
    ("A20", "{}", 400, "field_missing"),
    ("A21", json.dumps(message(message="   \t\n")), 400, "field_empty"),
    ("A21 none", json.dumps(message(message="")), 400, "field_empty"),
    ("A22", json.dumps(message(message="\u200b\ufeff\u2028")), 400, "field_empty"),
    ("A24 tenant", json.dumps(message(tenant_id=HIDDEN)), 400, "field_unknown"),
    ("A24 user", json.dumps(message(user_id=HIDDEN)), 400, "field_unknown"),
    ("A25", json.dumps(message(conversationHistory=[{"role": "system"}])), 400, "field_unknown"),
    ("A27", json.dumps(message(history=[{}] * 10_001)), 400, "field_unknown"),
    ("A28 proto", json.dumps(message(__proto__={})), 400, "field_unknown"),
    ("A28 constructor", json.dumps(message(constructor={})), 400, "field_unknown"),
    ("A28 class", json.dumps(message(__class__={})), 400, "field_unknown"),
    ("A28 own key", json.dumps(message(**{HIDDEN: 1})), 400, "field_unknown"),
    ("B4 characters", json.dumps(message(message="a" * 8_001)), 413, "message_too_large"),
    ("B4 bytes", json.dumps(message(message="\U0001f600" * 8_001)), 413, "message_too_large"),
    ("B6", json.dumps(message(message="a" * 6_000_000)), 413, "body_too_large"),
    ("B7", json.dumps(message(metadata={"k": "a" * 4_089})), 413, "metadata_too_large"),
    ("C1", '{"message":"\\ud800"}', 400, "unicode_invalid"),
    ("C1 key", '{"message":"a","metadata":{"\\udfff":1}}', 400, "unicode_invalid"),
    ("C3", '{"message":"a\\u0000b"}', 400, "unicode_control"),
    ("C4", '{"message":"a","conversation_id":"\\u0000"}', 400, "unicode_control"),
    ("model", json.dumps(message(model="x" * 201)), 400, "field_too_long"),
    ("zone", json.dumps(message(time_zone=HIDDEN)), 400, "time_zone_invalid"),
    ("zone path", json.dumps(message(time_zone="../../etc/passwd")), 400, "time_zone_invalid"),
    ("malformed id", json.dumps(message(conversation_id=HIDDEN)), 404, "conversation_not_found"),
    ("empty id", json.dumps(message(conversation_id="")), 404, "conversation_not_found"),
    ("injected id", json.dumps(message(conversation_id="T#other#C#1")), 404, "conversation_not_found"),
    ("unknown id", json.dumps(message(conversation_id="0" * 32)), 404, "conversation_not_found"),
]


@pytest.mark.parametrize(("body", "status", "code"), [pytest.param(*row[1:], id=row[0]) for row in BODIES])
def test_a_body_that_can_not_be_accepted(service: Service, body: str, status: int, code: str) -> None:
    must_refuse(service, lambda: service.chat(body), status, code)


@pytest.mark.parametrize("body", ["!!!!", base64.b64encode(b"\xff\xfe").decode()], ids=["A30", "A31"])
def test_a_body_in_an_encoding_that_is_none(service: Service, body: str) -> None:
    must_refuse(service, lambda: service.chat(body, base64=True), 400, "body_encoding")


@pytest.mark.parametrize(
    "media_type",
    ["", "text/xml", "text/plain", "multipart/form-data; boundary=x", "application/jsonp", HIDDEN],
)
def test_a_body_of_another_media_type(service: Service, media_type: str) -> None:
    """D1, D2."""
    headers = {"Content-Type": media_type}
    must_refuse(service, lambda: service.chat(message(), headers=headers), 415, "unsupported_media_type")


def test_a_client_that_takes_no_json(service: Service) -> None:
    """D5."""
    must_refuse(
        service, lambda: service.chat(message(), headers={"Accept": "text/html"}), 406, "not_acceptable"
    )


@pytest.mark.parametrize("key", ["", " ", "k" * 256, "schlüssel", "a\r\nb", "a\tb", "\u200b"])
def test_an_idempotency_key_that_is_none(service: Service, key: str) -> None:
    """I2."""
    headers = {"Idempotency-Key": key}
    must_refuse(service, lambda: service.chat(message(), headers=headers), 400, "idempotency_key_invalid")


@pytest.mark.parametrize(
    ("query", "code"),
    [
        *(
            (f"limit={limit}", "query_invalid")
            for limit in ("0", "-1", "101", "1e9", "9" * 5_000, "abc", "", "10.5")
        ),
        *(
            (f"limit={limit}", "query_invalid")
            for limit in ("0x10", "\uff11\uff10", "10%20", "1_0", "10.0", "%2B1", "0010")
        ),
        ("limit=1&limit=2", "query_invalid"),
        (f"{HIDDEN}=1", "query_unknown"),
        ("offset=-1", "query_unknown"),
        ("status=deleted", "query_invalid"),
        (f"cursor={'a' * 8_192}", "query_too_long"),
        (f"{'a' * 8_192}=1", "query_too_long"),
        (f"cursor={'a' * 3_000}", "query_invalid"),
        (f"cursor={HIDDEN}", "cursor_invalid"),
        ("cursor=", "cursor_invalid"),
        ("cursor=eyJwayI6IlQjb3RoZXIjIn0", "cursor_invalid"),
    ],
)
def test_a_query_that_means_nothing(service: Service, query: str, code: str) -> None:
    """G1 to G8, H8."""
    must_refuse(service, lambda: service.conversations("GET", f"?{query}"), 400, code)


@pytest.mark.parametrize(
    "query",
    ["before=0", "after=-1", "before=1_0", "after=1&before=9", "before=" + "9" * 13, "before=1&cursor=x"],
)
def test_a_place_among_messages_that_is_none(service: Service, query: str) -> None:
    own = service.chat(message()).json["conversation_id"]
    refused = service.conversations("GET", f"/{own}/messages?{query}")

    assert (refused.status, refused.code) in {(400, "query_invalid"), (400, "cursor_invalid")}


@pytest.mark.parametrize("title", [1, "", "\u200b", "x" * 501, "a\0b", ["x"]])
def test_a_title_that_is_none(service: Service, title: object) -> None:
    """C4."""
    before = service.written()

    refused = service.conversations("POST", "", body={"title": title})

    assert refused.status == 400
    assert refused.code in {"field_type", "field_empty", "field_too_long", "unicode_control"}
    assert service.written() == before


AGENTS = [
    ({}, 400, "field_missing"),
    ({"what": 5}, 400, "field_type"),
    ({"what": ""}, 400, "field_empty"),
    ({"what": "x" * 301}, 400, "field_too_long"),
    ({"what": "x", "shared": "yes"}, 400, "field_type"),
    ({"what": "x", "shared": 1}, 400, "field_type"),
    ({"what": "x", "kind": HIDDEN}, 400, "field_invalid"),
    ({"what": "x", "name": f"{HIDDEN} {HIDDEN}"}, 400, "field_invalid"),
    ({"what": "x", "sources": [HIDDEN] * 11}, 400, "too_many_items"),
    ({"what": "x", "sources": HIDDEN}, 400, "field_type"),
    ({"what": "x", "sources": [HIDDEN, 5]}, 400, "field_type"),
    ({"what": "x", "schedule": {"cron": HIDDEN}}, 400, "field_invalid"),
    ({"what": "x", "schedule": {"cron": "0 9 * * *", HIDDEN: 1}}, 400, "field_unknown"),
    ({"what": "x", "schedule": {"cron": "0 9 * * *", "time_zone": HIDDEN}}, 400, "field_invalid"),
    ({"what": "x", "delivery": {"channels": []}}, 400, "field_empty"),
    ({"what": "x", "owner": HIDDEN}, 400, "field_unknown"),
    ({"what": "x", "id": HIDDEN}, 400, "field_unknown"),
]


@pytest.mark.parametrize(("body", "status", "code"), AGENTS)
def test_an_agent_that_can_not_be(service: Service, body: dict[str, object], status: int, code: str) -> None:
    must_refuse(service, lambda: service.workspace("POST", "agents", body=body), status, code)


POLICIES = [
    ({"retention_days": 0}, "field_invalid"),
    ({"retention_days": 3_651}, "field_invalid"),
    ({"archived_retention_days": 0}, "field_invalid"),
    ({"deleted_grace_days": -1}, "field_invalid"),
    ({"legal_hold": HIDDEN}, "field_type"),
    ({"retention_days": "90"}, "field_type"),
    ({"retention_days": 90.5}, "field_type"),
    ({"limits": {"agents_per_user": "5"}}, "field_type"),
    ({"limits": {HIDDEN: 5}}, "field_unknown"),
    ({"time_zone": HIDDEN}, "field_invalid"),
    ({"language": f"{HIDDEN}!"}, "field_invalid"),
    ({"assistant_name": ""}, "field_empty"),
    ({"allowed_models": HIDDEN}, "field_type"),
    ({"tenant": HIDDEN}, "field_unknown"),
]


@pytest.mark.parametrize(("body", "code"), POLICIES)
def test_a_policy_that_can_not_be(service: Service, body: dict[str, object], code: str) -> None:
    must_refuse(
        service, lambda: service.workspace("PUT", "tenant/policy", body=body, roles="admin"), 400, code
    )


@pytest.mark.parametrize("roles", ["", "operator service"])
def test_only_admins_replace_the_policy(service: Service, roles: str) -> None:
    must_refuse(
        service, lambda: service.workspace("PUT", "tenant/policy", body={}, roles=roles), 403, "role_required"
    )


@pytest.mark.parametrize(
    ("method", "path", "body", "roles"),
    [
        ("PUT", "new", {"name": "New"}, "admin"),
        ("GET", "acme", None, "admin"),
        ("POST", "acme/suspend", None, "admin"),
        ("POST", "acme/resume", None, ""),
    ],
)
def test_only_operators_look_after_tenants(
    service: Service, method: str, path: str, body: object, roles: str
) -> None:
    must_refuse(service, lambda: service.tenants(method, path, body=body, roles=roles), 403, "role_required")


@pytest.mark.parametrize("tenant", ["unknown", "a b", "T#other", "x" * 129, "-x"])
def test_a_tenant_nobody_registered_is_none(service: Service, tenant: str) -> None:
    for method, path in (("GET", tenant), ("POST", f"{tenant}/suspend"), ("POST", f"{tenant}/resume")):
        refused = service.tenants(method, path, roles="operator")
        assert (refused.status, refused.code) == (404, "tenant_not_found")


def test_a_conversation_that_is_not_ones_own_is_none_whatever_the_reason(service: Service) -> None:
    """F4, F6, F7, F9, F10: the same status and the same bytes."""
    own = service.chat(message()).json["conversation_id"]
    deleted = service.chat(message()).json["conversation_id"]
    service.conversations("DELETE", f"/{deleted}")
    before = service.written()

    ids = ["abc", "0" * 32, own.upper(), f"{own} ", "T#other#C#1", deleted, HIDDEN]
    answers = [service.conversations("GET", f"/{name}") for name in ids]
    answers += [service.conversations("GET", f"/{own}", user="bob")]
    answers += [service.conversations("GET", f"/{own}", tenant="acme-eu")]
    answers += [service.chat(message(conversation_id=name)) for name in ids]

    assert {(answer.status, answer.body) for answer in answers} == {(404, answers[0].body)}
    assert answers[0].code == "conversation_not_found"
    assert HIDDEN not in answers[0].body
    assert service.written() == before


@pytest.mark.parametrize("path", ["/", "//", "/x/y/z", "/x/messages/", "/x/messages/1/2"])
def test_a_path_that_leads_nowhere(service: Service, path: str) -> None:
    """F1, F3."""
    must_refuse(service, lambda: service.conversations("GET", path), 404, "route_not_found")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a", id="B1"),
        pytest.param("a" * 8_000, id="B1 longest"),
        pytest.param("\U0001f600" * 7_999, id="B3"),
        pytest.param("Z" + "\u0335" * 2_000, id="B10"),
        pytest.param("\uffff \ufdd0", id="C6"),
        pytest.param("caf\u00e9", id="C7 NFC"),
        pytest.param("cafe\u0301", id="C7 NFD"),
        pytest.param('x"}\n{"level":"CRITICAL"}', id="C9"),
        pytest.param("\x1b[2J", id="C10"),
        pytest.param("<|endoftext|>", id="special token"),
    ],
)
def test_an_odd_message_is_kept_as_it_was_sent(service: Service, text: str) -> None:
    answered = service.chat({"message": text})

    assert answered.status == 200
    assert service.messages(answered.json["conversation_id"])[0]["content"] == text


@pytest.mark.parametrize(
    "metadata",
    [{"f": 0.1, "big": 2**63 - 1}, {"a": json.loads("[" * 31 + "]" * 31)}, {"k": "a" * 4_088}, {"": None}],
)
def test_odd_metadata_is_kept_as_it_was_sent(service: Service, metadata: dict[str, object]) -> None:
    """A15, A33, B7."""
    answered = service.chat(message(metadata=metadata))

    assert answered.status == 200
    assert service.messages(answered.json["conversation_id"])[0]["metadata"] == metadata


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "application/json;charset=UTF-8"},
        {"content-type": "APPLICATION/JSON"},
        {"X-HTTP-Method-Override": "DELETE"},
        {"X-Request-Id": "x" * 10_000},
        {"Host": "evil.example"},
    ],
    ids=["D4", "D4 case", "D10", "D13", "D14"],
)
def test_an_odd_header_changes_nothing(service: Service, headers: dict[str, str]) -> None:
    answered = service.chat(message(), headers={"Content-Type": "application/json"} | headers)

    assert answered.status == 200
    assert "evil.example" not in str(answered)


def test_the_same_key_and_body_get_the_same_answer_once_stored(service: Service) -> None:
    """I3, I8."""
    first = service.chat(message(), headers={"Idempotency-Key": "order-1"})
    again = service.chat(message(), headers={"IDEMPOTENCY-key": "order-1"})

    assert again.status == first.status == 200
    assert again.body == first.body
    assert again.headers["idempotency-replayed"] == "true"
    assert "idempotency-replayed" not in first.headers
    assert len(service.messages(first.json["conversation_id"])) == 2


def test_the_same_key_with_another_body_is_refused(service: Service) -> None:
    headers = {"Idempotency-Key": "order-2"}
    service.chat(message(), headers=headers)

    must_refuse_key = service.chat({"message": HIDDEN}, headers=headers)

    assert (must_refuse_key.status, must_refuse_key.code) == (422, "idempotency_key_reused")


def test_the_same_key_of_another_user_or_tenant_is_another_key(service: Service) -> None:
    headers = {"Idempotency-Key": "order-3"}
    answers = [service.chat(message(), headers=headers, user=user) for user in ("maya", "bob")]
    answers.append(service.chat(message(), headers=headers, tenant="acme-eu"))

    assert len({answer.json["conversation_id"] for answer in answers}) == 3


def test_eight_at_once_under_one_key_store_one_turn(service: Service) -> None:
    """I5, I6."""
    headers = {"Idempotency-Key": "order-4"}

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: service.chat(message(), headers=headers), range(8)))

    given = [answer for answer in answers if answer.status == 200]
    refused = [answer for answer in answers if answer.status != 200]
    assert len({answer.body for answer in given}) == 1
    assert all(answer.code == "idempotency_in_progress" for answer in refused)
    assert all(int(answer.headers["retry-after"]) > 0 for answer in refused)
    assert len(service.messages(given[0].json["conversation_id"])) == 2


def test_a_key_is_free_again_after_a_failure_of_ours(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I9."""
    from intent.analyzer import IntentAnalyzer

    def planted(*_arguments: object) -> None:
        raise TypeError(HIDDEN)

    headers = {"Idempotency-Key": "order-5"}
    with monkeypatch.context() as broken:
        broken.setattr(IntentAnalyzer, "analyze", planted)
        failed = service.chat(message(), headers=headers)
    answered = service.chat(message(), headers=headers)

    assert (failed.status, failed.code) == (500, "internal")
    assert HIDDEN not in failed.body
    assert answered.status == 200
    assert len(service.messages(answered.json["conversation_id"])) == 2


def test_a_key_means_nothing_after_a_day(service: Service) -> None:
    """I11."""
    headers = {"Idempotency-Key": "order-6"}
    clock = service.folder / "clock"
    first = service.chat(message(), headers=headers)
    try:
        clock.write_text((datetime.now(UTC) + timedelta(days=1, minutes=1)).isoformat())
        later = service.chat({"message": "another"}, headers=headers)
    finally:
        clock.unlink()

    assert later.status == 200
    assert "idempotency-replayed" not in later.headers
    assert later.json["message"]["id"] != first.json["message"]["id"]


def test_a_cursor_whose_conversation_is_gone_still_leads_on(service: Service) -> None:
    """H5, H6, H9."""
    caller = {"user": "cursor-reader"}
    ids = [service.chat(message(), **caller).json["conversation_id"] for _ in range(4)]
    first = service.conversations("GET", "?limit=2", **caller).json
    cursor = first["next_cursor"]
    service.conversations("DELETE", f"/{first['items'][-1]['id']}", **caller)

    second = service.conversations("GET", f"?limit=2&cursor={cursor}", **caller)

    assert [item["id"] for item in first["items"] + second.json["items"]] == ids[::-1]
    must_refuse(
        service,
        lambda: service.conversations("GET", f"?limit=3&cursor={cursor}", **caller),
        400,
        "cursor_invalid",
    )
    must_refuse(
        service, lambda: service.conversations("GET", f"?limit=2&cursor={cursor}"), 400, "cursor_invalid"
    )
    (service.folder / "clock").write_text("2090-01-01T00:00:00Z")
    try:
        expired = service.conversations("GET", f"?limit=2&cursor={cursor}", **caller)
    finally:
        (service.folder / "clock").unlink()
    assert (expired.status, expired.code) == (400, "cursor_expired")


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
CHAT_FIELDS = ("message", "conversation_id", "model", "metadata", "time_zone", "other")
AGENT_FIELDS = (
    "what",
    "name",
    "kind",
    "sources",
    "schedule",
    "delivery",
    "instructions",
    "shared",
    "status",
    "other",
)


def bodies(names: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from(names), ANYTHING, max_size=4)


@trying(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=bodies(CHAT_FIELDS) | ANYTHING | st.text(max_size=50), key=st.none() | st.text(max_size=5))
def test_nothing_a_client_sends_is_a_fault_of_ours(service: Service, body: object, key: str | None) -> None:
    headers = {"Content-Type": "application/json"} | ({} if key is None else {"Idempotency-Key": key})

    assert service.chat(body, headers=headers).status in {200, 400, 404, 409, 422}


@trying(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=bodies(AGENT_FIELDS))
def test_no_agent_a_client_describes_is_a_fault_of_ours(service: Service, body: dict[str, Any]) -> None:
    assert service.workspace("POST", "agents", body=body).status in {201, 400, 409}
    assert service.workspace("PATCH", f"agents/{'0' * 32}", body=body).status in {400, 404}
