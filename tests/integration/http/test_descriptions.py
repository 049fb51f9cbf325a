"""What the API says of itself, held to its routes, to the template, and to what the functions do."""

from __future__ import annotations

import base64
import gzip
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from edge.http.problems import STATUSES
from edge.routes.mcp_access import MCP_PATH, METADATA_PATH
from local import openapi
from local.template import interpreter, sam_translation
from tests.fakes.aws.proxy_events import Answer, request
from tests.fakes.deployment import functions
from tests.fakes.run import wire_operations
from tests.fakes.run.logs import restore_logging

ROOT = Path(__file__).parents[3]
COMMITTED: dict[str, Any] = json.loads((ROOT / "layers/edge/edge/routes/openapi.json").read_text())
SOME_ID = "0" * 32
CALLBACK = ("GET", "/v1/connections/callback")
"""Where a browser ends that comes back from another service: a page."""


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in COMMITTED["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


PROTECTED = [(method, path) for method, path, operation in operations() if operation.get("security") != []]


@pytest.fixture(scope="module")
def apps(tmp_path_factory: pytest.TempPathFactory) -> list[ModuleType]:
    settings = functions.settings(tmp_path_factory.mktemp("data"), OMNIFORGE_ALLOWED_ORIGINS="*")
    return [
        functions.load(name, settings) for name in ("chat", "conversations", "workspace", "tenants", "mcp")
    ]


def send(apps: list[ModuleType], event: dict[str, Any]) -> Answer:
    """The answer of the function that knows the route."""
    answers = [functions.invoke(app, event) for app in apps]
    (known,) = [answer for answer in answers if answer.status != 404 or answer.code != "route_not_found"]
    return known


def test_the_committed_description_is_what_the_routes_say() -> None:
    script = "import json; from local.openapi import build_document; print(json.dumps(build_document()))"
    made = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True
    )

    assert json.loads(made.stdout) == COMMITTED, "run: python -m local.openapi"


def test_the_description_and_the_template_have_the_same_routes() -> None:
    stack = interpreter.interpret(
        sam_translation.read_template(ROOT / "template.yaml"),
        {"Issuers": "https://a.example", "Audience": "a"},
    )
    routed = {(route.method, route.path) for route in stack.routes}

    described = {(method, path) for method, path, _ in operations()}
    # What is spoken at /mcp describes itself.
    undescribed = {("GET", "/docs"), ("GET", "/docs/{asset}"), ("POST", "/mcp"), CALLBACK}
    undescribed |= {("GET", METADATA_PATH), ("GET", METADATA_PATH + MCP_PATH)}
    undescribed |= {(each.method, each.path) for each in wire_operations.OPERATIONS}
    undescribed |= {
        (method, path) for method, _, path in (each.partition(" ") for each in wire_operations.PUBLIC)
    }
    assert {route for route in routed if route[0] not in {"OPTIONS", "ANY"}} == described | undescribed
    # What no event names is for the function to refuse.
    assert {path for method, path in routed if method == "ANY"} == {path for _, path in routed}


def test_every_reference_leads_somewhere() -> None:
    for kind in ("schemas", "responses"):
        referred = set(re.findall(rf'"#/components/{kind}/([^"]+)"', json.dumps(COMMITTED)))
        assert referred == COMMITTED["components"][kind].keys()


def test_two_schemas_of_one_name_are_no_description() -> None:
    schemas = {"Scope": {"enum": ["mine"]}}
    openapi._add(schemas, {"Scope": {"enum": ["mine"]}})
    with pytest.raises(AssertionError, match="'Scope'"):
        openapi._add(schemas, {"Scope": {"enum": ["all"]}})


def test_every_code_is_described_under_its_status() -> None:
    described = " ".join(each["description"] for each in COMMITTED["components"]["responses"].values())

    # An operation that is described is there.
    assert [code for code in STATUSES if f"`{code}`" not in described] == ["method_not_allowed"]


def test_every_operation_has_its_own_id() -> None:
    ids = [operation["operationId"] for _, _, operation in operations()]

    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(("method", "path"), PROTECTED)
def test_without_a_token_every_operation_is_refused(apps: list[ModuleType], method: str, path: str) -> None:
    concrete = re.sub(r"{\w+}", SOME_ID, path)

    for body in (None, "{"):
        refused = send(apps, request(method, concrete, body=body, authorized=False))
        assert (refused.status, refused.code) == (401, "auth_invalid")


@pytest.mark.parametrize("path", ["/health", "/openapi.json", "/docs"])
def test_what_is_public_needs_no_token(apps: list[ModuleType], path: str) -> None:
    assert send(apps, request("GET", path, authorized=False)).status == 200


def test_the_description_is_served_below_the_stage(apps: list[ModuleType]) -> None:
    served = send(apps, request("GET", "/openapi.json", authorized=False))

    assert served.headers["content-type"] == "application/json"
    assert served.json == {**COMMITTED, "servers": [{"url": "/dev"}]}


def test_the_page_loads_nothing_from_elsewhere(apps: list[ModuleType]) -> None:
    page = content(send(apps, request("GET", "/docs", authorized=False))).decode()

    loaded = re.findall(r'(?:src|href|description)="([^"]+)"', page)
    assert [name.partition(".")[0] for name in loaded] == [
        "data:,",
        "docs/swagger-ui",
        "openapi",
        "docs/swagger-ui",
        "docs/start",
    ]
    statuses = [send(apps, request("GET", f"/{each}", authorized=False)).status for each in loaded[1:]]
    assert statuses == [200, 200, 200, 200]
    assert not re.search(r"<(script|style)>", page)


def test_the_pages_files_are_compressed_and_kept(apps: list[ModuleType]) -> None:
    page = send(apps, request("GET", "/docs", authorized=False))
    (script,) = re.findall(r"docs/swagger-ui\.\w+\.js", content(page).decode())
    plain, compressed = (
        send(apps, request("GET", f"/{script}", headers={"Accept-Encoding": encodings}, authorized=False))
        for encodings in ("br, gzip;q=0", "br, gzip")
    )

    assert "content-encoding" not in plain.headers
    assert compressed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(content(compressed)) == content(plain)
    assert len(content(compressed)) < len(content(plain)) / 3
    assert {"Origin", "Accept-Encoding"} <= set(compressed.headers["vary"].split(", "))
    assert compressed.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert page.headers["cache-control"] == "no-cache"
    known = {"If-None-Match": f'"other", {page.headers["etag"]}'}
    again = send(apps, request("GET", "/docs", headers=known, authorized=False))
    assert (again.status, again.body, again.headers["etag"]) == (304, "", page.headers["etag"])


def test_the_page_has_the_headers_of_the_chat_page(apps: list[ModuleType]) -> None:
    template = sam_translation.read_template(ROOT / "template.yaml")
    headers = send(apps, request("GET", "/docs", authorized=False)).headers

    # As the twin sends them: of the origin that files come from, this page needs nothing.
    delivered = interpreter.page_delivery(template, {"OMNIFORGE_STAGE": "local"}).headers
    assert {name: headers.get(name) for name in delivered} == dict(delivered)


@pytest.mark.parametrize(
    ("environ", "status"),
    [
        ({"OMNIFORGE_STAGE": "dev"}, 200),
        ({"OMNIFORGE_STAGE": "prod"}, 404),
        ({"OMNIFORGE_STAGE": "staging"}, 404),
        ({"OMNIFORGE_STAGE": "prod", "OMNIFORGE_DOCS": "on"}, 200),
        ({"OMNIFORGE_STAGE": "dev", "OMNIFORGE_DOCS": "off"}, 404),
    ],
)
def test_the_page_is_for_development_unless_it_is_wanted(
    tmp_path: Path, environ: dict[str, str], status: int
) -> None:
    with restore_logging():
        app = functions.load("conversations", functions.settings(tmp_path, **environ))
        asked = [functions.invoke(app, request(*each, authorized=False)) for each in PAGE_REQUESTS]

    assert [each.status for each in asked] == [status, 405 if status == 200 else 404, 404, 200]


PAGE_REQUESTS = [("GET", "/docs"), ("POST", "/docs"), ("GET", "/docs/other.js"), ("GET", "/openapi.json")]


def content(answer: Answer) -> bytes:
    """The bytes of a file."""
    return base64.b64decode(answer.body)


def test_every_gateway_response_has_a_code_and_status_we_know() -> None:
    text = (ROOT / "template.yaml").read_text()
    given = re.findall(r'"status":(\d+),"code":"(\w+)"', text)

    assert given
    known = {code: int(STATUSES[code]) for _, code in given if code in STATUSES}
    assert {code: int(status) for status, code in given if code in STATUSES} == known
