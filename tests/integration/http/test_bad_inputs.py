"""What must not get in: each row with its status and code, as problem+json, nothing repeated and nothing
written.

The functions are the real ones, invoked with events as API Gateway sends them, over a SQLite file. Tokens and
settings that must not pass are tried in ``tests/unit/edge``. Names that begin with an id show a row of
``tests/bad_inputs.json``.
"""

from __future__ import annotations

import base64
import gzip
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
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.aws.proxy_events import Answer, request
from tests.fakes.deployment import functions
from tests.fakes.run.bad_inputs import case, row
from tests.fakes.run.logs import restore_logging
from tests.fakes.run.property_budget import example_settings

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
    """A problem of RFC 9457 that repeats nothing, and nothing written."""
    before = service.written()
    refused = send()
    assert (refused.status, refused.code) == (status, code)
    assert refused.json["request_id"] == refused.headers["x-request-id"]
    assert set(refused.json) <= {"type", "title", "status", "code", "detail", "request_id"}
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
    ("deeper than A15", '{"message":"a","metadata":' + '{"a":' * 33 + "1" + "}" * 34, 400, "json_too_deep"),
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
    (
        "A27",
        json.dumps(message(conversation_history=[{"role": "user", "content": HIDDEN}] * 10_001)),
        400,
        "too_many_items",
    ),
    ("history by another name", json.dumps(message(history=[{}] * 10_001)), 400, "field_unknown"),
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


@pytest.mark.parametrize(("body", "status", "code"), [case(*each) for each in BODIES])
def test_a_body_that_can_not_be_accepted(service: Service, body: str, status: int, code: str) -> None:
    must_refuse(service, lambda: service.chat(body), status, code)


@pytest.mark.parametrize("body", [case("A30", "!!!!"), case("A31", base64.b64encode(b"\xff\xfe").decode())])
def test_a_body_in_an_encoding_that_is_none(service: Service, body: str) -> None:
    must_refuse(service, lambda: service.chat(body, base64=True), 400, "body_encoding")


STRAY = b'{"message":"caf\xe9 hunter2"}'
TEXT = json.dumps({"message": "hunter2"})
RAW_BODIES = [
    ("a stray byte", STRAY, "body_encoding"),
    ("a character cut off", b'{"message":"hunter2 \xe2\x82"}', "body_encoding"),
    ("a surrogate as bytes", b'{"message":"hunter2 \xed\xa0\x80"}', "body_encoding"),
    ("an overlong slash", b'{"message":"hunter2 \xc0\xaf"}', "body_encoding"),
    ("a stray byte in a name", b'{"mess\xffage":"hunter2"}', "body_encoding"),
    ("UTF-16", TEXT.encode("utf-16"), "body_encoding"),
    ("UTF-16 without a mark", TEXT.encode("utf-16-le"), "json_invalid"),
    ("UTF-16 the other way round", TEXT.encode("utf-16-be"), "json_invalid"),
    ("UTF-32", TEXT.encode("utf-32"), "body_encoding"),
    ("UTF-32 without a mark", TEXT.encode("utf-32-be"), "json_invalid"),
    ("UTF-8 with a mark", TEXT.encode("utf-8-sig"), "json_invalid"),
    ("a byte zero", b'{"message":"hunter2 \0"}', "json_invalid"),
    ("a byte zero behind", TEXT.encode() + b"\0", "json_invalid"),
    ("compressed", gzip.compress(TEXT.encode()), "body_encoding"),
]


@pytest.mark.parametrize(("body", "code"), [case(*each) for each in RAW_BODIES])
def test_bytes_that_are_no_json_in_utf8(service: Service, body: bytes, code: str) -> None:
    encoded = base64.b64encode(body).decode()
    must_refuse(service, lambda: service.chat(encoded, base64=True), 400, code)


def test_a_body_in_base64_is_the_message_it_encodes(service: Service) -> None:
    sent = base64.b64encode(json.dumps({"message": "caf\u00e9 \ufffd"}, ensure_ascii=False).encode()).decode()
    answered = service.chat(sent, base64=True)
    assert service.messages(answered.json["conversation_id"])[0]["content"] == "caf\u00e9 \ufffd"


@pytest.mark.parametrize("names", [("Authorization",), ("Authorization", "authorization")])
def test_two_tokens_are_none(service: Service, names: tuple[str, ...]) -> None:
    event = request("POST", CHAT, body=message(message=HIDDEN))
    event["multiValueHeaders"] |= {name: [f"Bearer {HIDDEN}"] * (3 - len(names)) for name in names}
    must_refuse(service, lambda: functions.invoke(service.chat_function, event), 401, "auth_invalid")


@pytest.mark.parametrize(
    "media_type",
    [
        case("D1", ""),
        case("D2 xml", "text/xml"),
        case("D2 plain", "text/plain"),
        case("D2 parts", "multipart/form-data; boundary=x"),
        case("D2 longer", "application/jsonp"),
        case("D2 nonsense", HIDDEN),
    ],
)
def test_a_body_of_another_media_type(service: Service, media_type: str) -> None:
    headers = {"Content-Type": media_type}
    must_refuse(service, lambda: service.chat(message(), headers=headers), 415, "unsupported_media_type")


@row("D5")
def test_a_client_that_takes_no_json(service: Service) -> None:
    must_refuse(
        service, lambda: service.chat(message(), headers={"Accept": "text/html"}), 406, "not_acceptable"
    )


@row("I2")
@pytest.mark.parametrize("key", ["", " ", "k" * 256, "schlüssel", "a\r\nb", "a\tb", "\u200b"])
def test_an_idempotency_key_that_is_none(service: Service, key: str) -> None:
    headers = {"Idempotency-Key": key}
    must_refuse(service, lambda: service.chat(message(), headers=headers), 400, "idempotency_key_invalid")


@pytest.mark.parametrize(
    ("query", "code"),
    [
        *(
            case(f"G1 {limit[:9]!a}", f"limit={limit}", "query_invalid")
            for limit in ("0", "-1", "101", "1e9", "9" * 5_000, "abc", "", "10.5", "0x10", "\uff11\uff10")
        ),
        *(
            case(f"G2 {limit}", f"limit={limit}", "query_invalid")
            for limit in ("10%20", "1_0", "10.0", "%2B1", "0010")
        ),
        case("twice", "limit=1&limit=2", "query_invalid"),
        case("G4", f"{HIDDEN}=1", "query_unknown"),
        case("G5 negative", "offset=-1", "query_unknown"),
        case("G5 huge", "offset=1000000000", "query_unknown"),
        case("G7", "status=deleted", "query_invalid"),
        case("G8 value", f"cursor={'a' * 8_192}", "query_too_long"),
        case("G8 name", f"{'a' * 8_192}=1", "query_too_long"),
        case("long", f"cursor={'a' * 3_000}", "query_invalid"),
        case("H8 made up", f"cursor={HIDDEN}", "cursor_invalid"),
        case("H8 empty", "cursor=", "cursor_invalid"),
        case("H8", "cursor=eyJwayI6IlQjb3RoZXIjIn0", "cursor_invalid"),
        case("H8 plain", 'cursor={"pk":{"S":"T%23other%23"}}', "cursor_invalid"),
    ],
)
def test_a_query_that_means_nothing(service: Service, query: str, code: str) -> None:
    must_refuse(service, lambda: service.conversations("GET", f"?{query}"), 400, code)


@pytest.mark.parametrize(
    "query",
    ["before=0", "after=-1", "before=1_0", "after=1&before=9", "before=" + "9" * 13, "before=1&cursor=x"],
)
def test_a_place_among_messages_that_is_none(service: Service, query: str) -> None:
    own = service.chat(message()).json["conversation_id"]
    refused = service.conversations("GET", f"/{own}/messages?{query}")

    assert (refused.status, refused.code) in {(400, "query_invalid"), (400, "cursor_invalid")}


@pytest.mark.parametrize(
    ("title", "code"),
    [
        case("number", 1, "field_type"),
        case("list", [HIDDEN], "field_type"),
        case("empty", "", "field_empty"),
        case("invisible", "\u200b", "field_empty"),
        case("long", HIDDEN * 100, "field_too_long"),
        case("C4", f"{HIDDEN}\0b", "unicode_control"),
    ],
)
def test_a_title_that_is_none(service: Service, title: object, code: str) -> None:
    must_refuse(service, lambda: service.conversations("POST", "", body={"title": title}), 400, code)


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
    ({"brand": {"color": HIDDEN}}, "field_invalid"),
    ({"brand": {"color": "#12345"}}, "field_invalid"),
    ({"brand": {"logo": "https://example.com/logo.png"}}, "field_invalid"),
    ({"brand": {"logo": "data:image/svg+xml;base64,PHN2Zz4="}}, "field_invalid"),
    ({"brand": {"logo": "data:image/png;base64,PHN2Zz4="}}, "field_invalid"),
    ({"brand": {"logo": f"data:image/png;base64,{'iVBORw0KGgo' * 800}"}}, "field_too_long"),
    ({"brand": {"greeting": "x" * 201}}, "field_too_long"),
    ({"brand": {HIDDEN: 5}}, "field_unknown"),
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


@row("F4", "F6", "F7", "F9", "F10")
def test_a_conversation_that_is_not_ones_own_is_none_whatever_the_reason(service: Service) -> None:
    """The same status and the same bytes."""
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


@pytest.mark.parametrize(
    "path",
    [
        case("F1", "/x/y/z"),
        case("F1 deeper", "/x/messages/1/2"),
        case("F3", "/"),
        case("F3 double", "//"),
        case("F3 below", "/x/messages/"),
    ],
)
def test_a_path_that_leads_nowhere(service: Service, path: str) -> None:
    must_refuse(service, lambda: service.conversations("GET", path), 404, "route_not_found")


@pytest.mark.parametrize(
    "text",
    [
        case("B1", "a"),
        case("B1 longest", "a" * 8_000),
        case("B3", "\U0001f600" * 7_999),
        case("B10", "Z" + "\u0335" * 2_000),
        case("C6", "\uffff \ufdd0"),
        case("C7 NFC", "caf\u00e9"),
        case("C7 NFD", "cafe\u0301"),
        case("C9", 'x"}\n{"level":"CRITICAL"}'),
        case("C10", "\x1b[2J"),
        case("special token", "<|endoftext|>"),
    ],
)
def test_an_odd_message_is_kept_as_it_was_sent(service: Service, text: str) -> None:
    answered = service.chat({"message": text})

    assert answered.status == 200
    assert service.messages(answered.json["conversation_id"])[0]["content"] == text


@row("C9", "C10")
@pytest.mark.parametrize(
    "text", [f'x"}}\n{{"level":"CRITICAL","message":"{HIDDEN}"}}', f"\x1b[2J{HIDDEN}\r\n"]
)
def test_no_message_gets_into_the_log_nor_makes_a_line_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    noisy = functions.settings(tmp_path, OMNIFORGE_STAGE="dev", OMNIFORGE_LOG_LEVEL="DEBUG")
    with restore_logging():
        chat = functions.load("chat", noisy)
        assert functions.invoke(chat, request("POST", CHAT, body={"message": text})).status == 200

    logged = capsys.readouterr().out
    levels = {json.loads(line).get("level", "METRIC") for line in logged.splitlines()}
    assert levels == {"DEBUG", "INFO", "METRIC"}
    assert HIDDEN not in logged
    assert "\x1b" not in logged


@pytest.mark.parametrize(
    "metadata",
    [
        case("A15", {"a": json.loads("[" * 31 + "]" * 31)}),
        case("A33", {"f": 0.1, "big": 2**63 - 1}),
        case("as large as can be", {"k": "a" * 4_088}),
        case("nothing under no name", {"": None}),
    ],
)
def test_odd_metadata_is_kept_as_it_was_sent(service: Service, metadata: dict[str, object]) -> None:
    answered = service.chat(message(metadata=metadata))

    assert answered.status == 200
    assert service.messages(answered.json["conversation_id"])[0]["metadata"] == metadata


@pytest.mark.parametrize(
    "headers",
    [
        case("D4", {"Content-Type": "application/json;charset=UTF-8"}),
        case("D4 case", {"content-type": "APPLICATION/JSON"}),
        case("D10", {"X-HTTP-Method-Override": "DELETE"}),
        case("D13", {"X-Request-Id": HIDDEN * 1_000}),
        case("D13 lines", {"X-Request-Id": f"{HIDDEN}\r\nSet-Cookie: {HIDDEN}"}),
        case("D14", {"Host": f"{HIDDEN}.example", "X-Forwarded-Host": f"{HIDDEN}.example"}),
    ],
)
def test_an_odd_header_changes_nothing(service: Service, headers: dict[str, str]) -> None:
    answered = service.chat(message(), headers={"Content-Type": "application/json"} | headers)

    assert answered.status == 200
    assert answered.headers["x-request-id"] == request("POST", CHAT)["requestContext"]["requestId"]
    assert HIDDEN not in str(answered)


@row("I3", "I8")
def test_the_same_key_and_body_get_the_same_answer_once_stored(service: Service) -> None:
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


@row("I5", "I6")
def test_eight_at_once_under_one_key_store_one_turn(service: Service) -> None:
    headers = {"Idempotency-Key": "order-4"}

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: service.chat(message(), headers=headers), range(8)))

    given = [answer for answer in answers if answer.status == 200]
    refused = [answer for answer in answers if answer.status != 200]
    assert len({answer.body for answer in given}) == 1
    assert all(answer.code == "idempotency_in_progress" for answer in refused)
    assert all(int(answer.headers["retry-after"]) > 0 for answer in refused)
    assert len(service.messages(given[0].json["conversation_id"])) == 2


@row("I9")
def test_a_key_is_free_again_after_a_failure_of_ours(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    from intent.analysis.analyzer import IntentAnalyzer

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


@row("I11")
def test_a_key_means_nothing_after_a_day(service: Service) -> None:
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


@row("H5", "H6", "H9")
def test_a_cursor_whose_conversation_is_gone_still_leads_on(service: Service) -> None:
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


@example_settings(100)
@given(body=bodies(CHAT_FIELDS) | ANYTHING | st.text(max_size=50), key=st.none() | st.text(max_size=5))
def test_nothing_a_client_sends_is_a_fault_of_ours(service: Service, body: object, key: str | None) -> None:
    headers = {"Content-Type": "application/json"} | ({} if key is None else {"Idempotency-Key": key})

    assert service.chat(body, headers=headers).status in {200, 400, 404, 409, 422}


@example_settings(100)
@given(body=bodies(AGENT_FIELDS))
def test_no_agent_a_client_describes_is_a_fault_of_ours(service: Service, body: dict[str, Any]) -> None:
    assert service.workspace("POST", "agents", body=body).status in {201, 400, 409}
    assert service.workspace("PATCH", f"agents/{'0' * 32}", body=body).status in {400, 404}
