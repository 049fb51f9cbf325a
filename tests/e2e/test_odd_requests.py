"""Requests that are not what HTTP or JSON ask for, at a twin, whose gateway follows the template."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import httpx
import pytest

from edge.routes.docs import openapi_document
from tests.fakes.deployment.twin import Twin
from tests.fakes.run.api_operations import operations

JSON = {"Content-Type": "application/json"}
HIDDEN = "hunter2"
TEXT = json.dumps({"message": HIDDEN})
BODIES = {
    "a stray byte": TEXT.replace("hunter", "hunter\xe9").encode("latin-1"),
    "UTF-16": TEXT.encode("utf-16"),
    "UTF-16 without a mark": TEXT.encode("utf-16-le"),
    "UTF-32": TEXT.encode("utf-32"),
    "UTF-8 with a mark": TEXT.encode("utf-8-sig"),
    "a byte zero": TEXT.replace("hunter", "hunter\0").encode(),
    "half a surrogate pair": b'{"message":"hunter2 \\ud800"}',
}
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "PURGE"})
PATHS: dict[str, set[str]] = {"/docs": {"GET"}, "/docs/x.js": {"GET"}, "/mcp": {"POST"}}
for _operation in operations(openapi_document("")):
    PATHS.setdefault(re.sub(r"{\w+}", "x", _operation.path), set()).add(_operation.method)


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("twin"), environ={"OMNIFORGE_INTENT_MODEL": ""}) as running:
        yield running


def must_refuse(refused: httpx.Response, status: int) -> str:
    """The code of a problem that repeats nothing of the request."""
    assert refused.status_code == status
    assert refused.headers["content-type"] == "application/problem+json"
    assert HIDDEN not in refused.text
    return str(refused.json()["code"])


@pytest.mark.parametrize("path", ["/v1/chat", "/v1/chat/stream", "/v1/users/maya/chat", "/v1/tasks", "/mcp"])
@pytest.mark.parametrize("name", BODIES)
def test_a_body_that_is_not_json_in_utf8_is_refused(twin: Twin, name: str, path: str) -> None:
    headers = {**JSON, "Authorization": f"Bearer {twin.token(user='maya')}"}
    refused = twin.http.post(path, content=BODIES[name], headers=headers)
    assert must_refuse(refused, 400) in {"body_encoding", "json_invalid", "unicode_invalid"}
    assert twin.get("/v1/conversations", token=twin.token(user="maya"))["items"] == []


def test_the_character_for_unknown_bytes_may_be_sent_as_such(twin: Twin) -> None:
    token = twin.token(user="noah")
    reply = twin.chat("What is \ufffd in this letter?", token=token).json()
    stored = twin.get(f"/v1/conversations/{reply['conversation_id']}/messages", token=token)["items"]
    assert stored[0]["content"] == "What is \ufffd in this letter?"


@pytest.mark.parametrize("path", ["/v1/conversations", "/v1/agents", "/v1/erasures/x", "/v1/audit"])
def test_two_authorization_headers_are_none(twin: Twin, path: str) -> None:
    good, other = f"Bearer {twin.token(user='maya')}", f"Bearer {twin.token(user='noah')}"
    for pair in ((good, other), (good, good), (good, f"Bearer {HIDDEN}"), (f"Bearer {HIDDEN}", good)):
        refused = twin.http.get(path, headers=[("Authorization", each) for each in pair])
        assert must_refuse(refused, 401) == "auth_invalid"


@pytest.mark.parametrize("path", PATHS)
def test_a_path_tells_which_methods_it_has(twin: Twin, path: str) -> None:
    token = twin.token(user="maya")
    for method in METHODS - PATHS[path]:
        refused = twin.request(method, path, token=token)
        assert refused.status_code == 405, method
        assert set(refused.headers["allow"].split(", ")) == PATHS[path]
        assert method == "HEAD" or must_refuse(refused, 405) == "method_not_allowed"


def test_a_method_does_not_open_what_needs_a_token(twin: Twin) -> None:
    assert must_refuse(twin.request("PUT", "/v1/chat", token=None), 401) == "auth_invalid"
    assert must_refuse(twin.request("POST", "/health", token=None), 405) == "method_not_allowed"


def test_a_path_that_is_none_has_no_method(twin: Twin) -> None:
    for method in ("GET", "DELETE", "PURGE"):
        refused = twin.request(method, "/v1/nothing", token=twin.token())
        assert must_refuse(refused, 404) == "route_not_found"


def test_the_docs_are_compressed_and_not_sent_twice(twin: Twin) -> None:
    page = twin.http.get("/docs", headers={"Accept": "text/html,*/*;q=0.8"})
    assert (page.status_code, page.headers["content-encoding"]) == (200, "gzip")
    again = twin.http.get("/docs", headers={"If-None-Match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "script-src 'self'" in page.headers["content-security-policy"]
