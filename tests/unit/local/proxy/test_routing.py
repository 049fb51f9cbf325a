from __future__ import annotations

import pytest

from local.proxy.events import Router
from local.template.resources import Route

ROUTER = Router(
    Route(method, path, function=f"{method} {path}")
    for method, path in [
        ("GET", "/"),
        ("GET", "/things"),
        ("GET", "/things/{id}"),
        ("GET", "/things/new"),
        ("POST", "/things/{id}/parts/{part}"),
        ("ANY", "/{rest+}"),
    ]
)


@pytest.mark.parametrize(
    ("path", "resource", "parameters"),
    [
        ("/", "/", {}),
        ("/things", "/things", {}),
        ("/things/", "/things", {}),
        ("/things/a%2Fb", "/things/{id}", {"id": "a%2Fb"}),
        ("/things/new", "/things/new", {}),
        ("/things/1/parts", "/{rest+}", {"rest": "things/1/parts"}),
        ("/elsewhere", "/{rest+}", {"rest": "elsewhere"}),
    ],
)
def test_the_most_specific_resource_is_found(path: str, resource: str, parameters: dict[str, str]) -> None:
    match = ROUTER.find("GET", path)
    assert match
    assert (match.route.path, match.parameters) == (resource, parameters)


def test_a_resource_without_the_method_is_no_route() -> None:
    assert ROUTER.find("DELETE", "/things") is None


@pytest.mark.parametrize("path", ["//", "//things", "/things//", "/Things/1/parts//2"])
def test_an_empty_segment_is_no_parameter(path: str) -> None:
    router = Router([Route("GET", "/things", function="F"), Route("GET", "/things/{id}", function="F")])
    assert router.find("GET", path) is None
