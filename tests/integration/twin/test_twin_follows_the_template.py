from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fakes.deployment.twin import ROOT, Twin

pytestmark = pytest.mark.slow

EDITS = {
    # a route
    "Path: /v1/tasks}}\n        CreateTask": "Path: /v2/tasks}}\n        CreateTask",
    "/v1/tasks: {options: *Preflight, x-amazon-apigateway-any-method: *OtherOfWorkspace}": (
        "/v1/tasks: {options: *Preflight}"
    ),
    # an authorizer
    "Path: /openapi.json, Auth: {Authorizer: NONE}": "Path: /openapi.json",
    # a limit
    """{ResourcePath: "/~1docs", HttpMethod: GET, ThrottlingRateLimit: 5, ThrottlingBurstLimit: 20}""": (
        """{ResourcePath: "/~1docs", HttpMethod: GET, ThrottlingRateLimit: 1, ThrottlingBurstLimit: 1}"""
    ),
    # a gateway response
    '"code":"route_not_found"': '"code":"nothing_here"',
    # what a preflight allows
    "Allow-Methods: \"'GET,POST,PUT,PATCH,DELETE,OPTIONS'\"": "Allow-Methods: \"'GET'\"",
}


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("original")) as twin:
        yield twin


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    folder = tmp_path_factory.mktemp("edited")
    text = (ROOT / "template.yaml").read_text()
    for old, new in EDITS.items():
        assert old in text
        text = text.replace(old, new)
    template = folder / "template.yaml"
    template.write_text(text)
    with Twin(folder, template=template, described=False) as twin:
        yield twin


def status(twin: Twin, path: str, token: str | None = None, method: str = "GET") -> int:
    return twin.request(method, path, token=token).status_code


def test_a_route_that_moved_in_the_template_is_gone_from_its_place(original: Twin, edited: Twin) -> None:
    assert status(original, "/v1/tasks", original.token()) == 200
    response = edited.request("GET", "/v1/tasks", token=edited.token())
    assert (response.status_code, response.json()["code"]) == (404, "nothing_here")


def test_a_route_that_moved_in_the_template_is_at_its_new_place(original: Twin, edited: Twin) -> None:
    assert status(original, "/v2/tasks") == 404
    # The authorizer stands before what is a route now.
    assert status(edited, "/v2/tasks") == 401


def test_an_authorizer_added_in_the_template_stands_in_the_path(original: Twin, edited: Twin) -> None:
    assert status(original, "/openapi.json") == 200
    assert status(edited, "/openapi.json") == 401
    assert status(edited, "/openapi.json", edited.token()) == 200


def test_a_limit_lowered_in_the_template_is_lower(original: Twin, edited: Twin) -> None:
    assert [status(original, "/docs") for _ in range(3)] == [200, 200, 200]
    statuses = [status(edited, "/docs") for _ in range(3)]
    assert (statuses[0], 429 in statuses) == (200, True)


def test_the_gateways_words_are_the_templates(original: Twin, edited: Twin) -> None:
    codes = [twin.request("GET", "/nowhere", token=None).json()["code"] for twin in (original, edited)]
    assert codes == ["route_not_found", "nothing_here"]


def test_preflights_allow_what_the_template_says(original: Twin, edited: Twin) -> None:
    responses = [twin.request("OPTIONS", "/v1/chat", token=None) for twin in (original, edited)]
    allowed = [response.headers["access-control-allow-methods"] for response in responses]
    assert allowed == ["GET,POST,PUT,PATCH,DELETE,OPTIONS", "GET"]
