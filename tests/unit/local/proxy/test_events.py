from __future__ import annotations

import base64
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from local.proxy.events import MAX_LAMBDA_BYTES, MAX_REQUEST_BYTES
from tests.fakes.deployment.backends import app
from tests.fakes.deployment.gateways import LocalGateway, stack_of


@pytest.fixture
def gateway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalGateway:
    return LocalGateway(stack_of(tmp_path), monkeypatch)


@pytest.fixture(autouse=True)
def _released() -> Iterator[None]:
    app.authorizer_calls.clear()
    app.released.clear()
    yield
    app.released.set()


def event_of(response: httpx.Response) -> dict[str, Any]:
    assert response.status_code == 201, response.text
    event: dict[str, Any] = response.json()["event"]
    return event


def test_a_function_sees_the_event_of_a_rest_api(gateway: LocalGateway) -> None:
    event = event_of(gateway.send("GET", "/things/a%40b/?x=1&x=2&y=%C3%A9&z", token="t"))
    assert event["resource"] == "/things/{id}"
    assert event["path"] == "/things/a%40b/"
    assert event["pathParameters"] == {"id": "a%40b"}
    assert event["queryStringParameters"] == {"x": "2", "y": "é", "z": ""}
    assert event["multiValueQueryStringParameters"]["x"] == ["1", "2"]
    assert (event["body"], event["isBase64Encoded"]) == (None, False)
    assert event["requestContext"]["stage"] == "dev"
    assert event["requestContext"]["resourcePath"] == "/things/{id}"
    assert event["requestContext"]["requestTimeEpoch"] == 1769763600000


def test_nothing_given_is_null_and_not_empty(gateway: LocalGateway) -> None:
    event = event_of(gateway.send("GET", "/things", token="t"))
    assert event["queryStringParameters"] is None
    assert event["pathParameters"] is None


def test_repeated_headers_keep_all_values(gateway: LocalGateway) -> None:
    response = gateway.send("GET", "/open/x", headers=[("X-Tag", "a"), ("X-Tag", "b")])
    event = event_of(response)
    assert event["headers"]["x-tag"] == "b"
    assert event["multiValueHeaders"]["x-tag"] == ["a", "b"]


def test_the_authorizers_context_reaches_the_function_as_text(gateway: LocalGateway) -> None:
    authorizer = event_of(gateway.send("GET", "/things", token="t"))["requestContext"]["authorizer"]
    assert authorizer["tenant"] == "acme"
    assert (authorizer["exp"], authorizer["trusted"]) == ("17", "true")


def test_a_body_travels_as_text_even_if_it_is_none(gateway: LocalGateway) -> None:
    event = event_of(gateway.send("POST", "/things", token="t", content=b"caf\xc3\xa9 \xff"))
    assert event["body"] == "café \ufffd"


def test_a_binary_body_travels_as_base64(gateway: LocalGateway) -> None:
    png = {"Content-Type": "image/png"}
    event = event_of(gateway.send("POST", "/things", token="t", content=b"\x89PNG", headers=png))
    assert base64.b64decode(event["body"]) == b"\x89PNG"
    assert event["isBase64Encoded"]


def test_a_binary_answer_is_decoded_for_who_accepts_it(gateway: LocalGateway) -> None:
    assert gateway.send("GET", "/binary", headers={"Accept": "image/png"}).content == b"\x89PNG"


def test_headers_of_an_answer_repeat_and_some_are_renamed(gateway: LocalGateway) -> None:
    response = gateway.send("GET", "/things", token="t")
    assert response.headers.get_list("set-cookie") == ["a=1", "b=2"]
    assert response.headers["x-one"] == "1"
    assert "www-authenticate" not in response.headers
    assert response.headers["x-amzn-remapped-www-authenticate"] == "Bearer"


def test_a_function_knows_how_long_it_may_take(gateway: LocalGateway) -> None:
    assert 28_000 < gateway.send("GET", "/open/x").json()["left_ms"] <= 29_000


def test_an_unknown_route_is_worded_by_the_template(gateway: LocalGateway) -> None:
    response = gateway.send("GET", "/nowhere", headers={"Origin": "https://app.example"})
    assert response.status_code == 404
    assert response.headers["content-type"] == "application/problem+json"
    assert response.headers["x-origin"] == "https://app.example"
    assert response.json() == {"code": "route_not_found", "id": response.headers["x-amzn-requestid"]}


def test_the_first_page_leads_to_the_documentation(gateway: LocalGateway) -> None:
    assert gateway.send("GET", "/").headers["location"] == "/docs"


def test_a_preflight_needs_no_token(gateway: LocalGateway) -> None:
    response = gateway.send("OPTIONS", "/things")
    assert response.status_code == 200
    assert response.headers["access-control-max-age"] == "60"
    assert app.authorizer_calls == []


@pytest.mark.parametrize("header", [{}, {"Authorization": ""}, {"Authorization": "Basic dTpw"}])
def test_what_can_be_no_token_does_not_reach_the_authorizer(
    gateway: LocalGateway, header: dict[str, str]
) -> None:
    assert gateway.send("GET", "/things", headers=header).status_code == 401
    assert app.authorizer_calls == []


def test_an_authorizer_refuses_by_raising_one_word(gateway: LocalGateway) -> None:
    assert gateway.send("GET", "/things", token="unauthorized").status_code == 401


def test_any_other_failure_of_the_authorizer_is_ours(gateway: LocalGateway) -> None:
    response = gateway.send("GET", "/things", token="broken")
    assert (response.status_code, response.json()["kind"]) == (500, "AUTHORIZER_FAILURE")


def test_a_denied_caller_hears_why(gateway: LocalGateway) -> None:
    response = gateway.send("GET", "/things", token="deny")
    assert (response.status_code, response.json()) == (403, {"code": "tenant_inactive"})


def test_a_policy_is_held_against_the_method(gateway: LocalGateway) -> None:
    assert gateway.send("GET", "/things", token="readonly").status_code == 201
    assert gateway.send("POST", "/things", token="readonly").status_code == 403


def test_an_authorizers_answer_is_kept_for_its_time_and_its_token(gateway: LocalGateway) -> None:
    gateway.send("GET", "/things", token="one")
    gateway.send("POST", "/things", token="one")
    gateway.send("POST", "/things", token="two")
    assert len(app.authorizer_calls) == 2
    gateway.clock.advance(61)
    gateway.send("POST", "/things", token="one")
    assert len(app.authorizer_calls) == 3


def test_a_burst_is_throttled_and_refills(gateway: LocalGateway) -> None:
    statuses = [gateway.send("GET", "/things", token="t").status_code for _ in range(5)]
    assert statuses == [201, 201, 201, 429, 429]
    assert gateway.send("POST", "/things", token="t").status_code == 201
    gateway.clock.advance(1)
    refilled = [gateway.send("GET", "/things", token="t") for _ in range(2)]
    assert [response.status_code for response in refilled] == [201, 429]
    assert refilled[1].headers["retry-after"] == "1"
    assert refilled[1].json() == {"code": "rate_limited"}


@pytest.mark.parametrize("size", [MAX_LAMBDA_BYTES, MAX_REQUEST_BYTES + 1])
def test_a_body_beyond_what_lambda_or_the_gateway_takes_is_refused(gateway: LocalGateway, size: int) -> None:
    assert gateway.send("POST", "/things", token="t", content=b"a" * size).status_code == 413


def test_a_crash_is_answered_and_logged_without_what_it_quotes(
    gateway: LocalGateway, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        response = gateway.send("POST", "/crash", content=b"my secret")
    assert (response.status_code, response.json()["code"]) == (502, "internal")
    assert "ValueError" in caplog.text
    assert "secret" not in caplog.text


def test_something_that_is_no_response_is_a_failure(gateway: LocalGateway) -> None:
    assert gateway.send("GET", "/nonsense").status_code == 502


def test_a_function_that_takes_too_long_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edit = ("Handler: app.hang", "Handler: app.hang\n      Timeout: 1")
    gateway = LocalGateway(stack_of(tmp_path, edit), monkeypatch)
    response = gateway.send("GET", "/hang")
    assert (response.status_code, response.json()["kind"]) == (502, "INTEGRATION_FAILURE")


def test_every_answer_is_valid_json_where_it_says_so(gateway: LocalGateway) -> None:
    for response in (gateway.send("GET", "/things"), gateway.send("GET", "/nonsense")):
        assert response.headers["content-type"] == "application/json"
        json.loads(response.content)
