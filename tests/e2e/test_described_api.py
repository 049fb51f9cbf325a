"""The API held to its own description, by requests generated from it, over HTTP.

Each operation is tried by somebody with one of everything, and so that what is theirs is asked for by another
user and another tenant. ``TRIES=50`` tries fifty times as many requests as CI does.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import pytest
import requests
import schemathesis
from hypothesis import given
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS
from schemathesis.config import SchemathesisConfig
from schemathesis.core.transport import Response

from edge.routes import docs
from tests.fakes.data.one_of_everything import EVERY_ROLE, Person
from tests.fakes.deployment.twin import ROOT, Twin
from tests.fakes.http.described_answers import check_answer
from tests.fakes.run.api_operations import operations
from tests.fakes.run.bad_inputs import case
from tests.fakes.run.property_budget import example_settings

pytestmark = pytest.mark.e2e

REJECTED = ["400", "401", "403", "404", "406", "409", "413", "415", "422"]
CONFIG = SchemathesisConfig.from_dict(
    {
        # Who asks is the tests' business: a header that is taken away here would be put back.
        "generation": {"with-security-parameters": False},
        "checks": {"negative_data_rejection": {"expected-statuses": REJECTED}},
    }
)
DOCUMENT = docs.openapi_document("")
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT, config=CONFIG)
OPERATIONS = {each.name: each for each in operations(DOCUMENT)}
REFUSED = frozenset(map(int, REJECTED)) - {401}

SKIPPED_CHECKS: Mapping[str, str] = {
    "positive_data_acceptance": "`only_what_no_schema_says` is stricter: it knows which refusals there are",
    "object_level_authorization": "two identities, and what is whose, are tried by the tests themselves",
    "use_after_free": "looks at a history of calls; here each call stands alone",
    "ensure_resource_availability": "looks at a history of calls; here each call stands alone",
}
"""Checks of schemathesis that are not made, with the reason."""

STREAMS: Mapping[str, str] = {
    "response_schema_conformance": "OpenAPI 3.1 can't describe the frames of a stream one by one; "
    "tests/integration/streaming/test_streamed_answers.py holds each to its schema",
}
"""The same for event streams only."""

UNSAYABLE: Mapping[tuple[str, str], str] = {
    ("cursor_invalid", ""): "a cursor is a text that only an answer of this API has",
    ("time_zone_invalid", "time_zone"): "the names of time zones are a list that grows",
    ("model_unknown", ""): "which models there are is up to the deployment",
    ("idempotency_key_reused", ""): "it depends on what was asked before",
    ("message_unfit", ""): "it depends on whose message it is",
    ("field_unknown", "conversation_history"): "it is for where no history is kept, as its description says",
    ("field_empty", ""): "no pattern tells a text in which there is nothing to read",
    ("field_invalid", "title"): "one line of visible characters, as Unicode has them",
    ("field_invalid", "name"): "words as Unicode has them, folded",
    ("field_invalid", "schedule"): "five cron fields that ever come, and a time zone",
    ("field_invalid", "time_zone"): "the names of time zones are a list that grows",
    ("field_invalid", "due_at"): "a day that is in the calendar",
    ("field_invalid", "repeat"): "five cron fields that ever come, and not too often",
    ("field_invalid", "body"): "a time beside its zone, and on the day that is given beside it",
    ("field_invalid", "parameters"): "the names of a run's parameters: generated ones come from elsewhere",
    ("query_invalid", "There is no word"): "no pattern tells a text without a word",
    ("query_invalid", "Only one of before"): "parameters that exclude each other",
    ("query_invalid", "from"): "days that are out of order, or too far apart",
    ("query_invalid", "to"): "a text that is a date",
    ("json_number_range", ""): "numbers beyond 64 bits within metadata of any form",
    ("unicode_control", ""): "the character U+0000 in any text",
    ("attachment_type_not_allowed", ""): "which types are taken is up to the deployment and the tenant",
    ("attachment_too_large", ""): "how large a file may be is up to the deployment and its type",
    ("attachment_invalid", ""): "content that is a whole file of the stated type and size",
    ("field_invalid", "content"): "base64, which a schema can name, but not require",
    ("field_too_long", "name"): "its bytes count, not its characters",
    ("secret_invalid", "A secret is one line"): "one line of ASCII, with a mark that is no blank",
    ("skill_invalid", ""): "an address that may be spoken to",
    ("agent_invalid", ""): "an agent that fits together",
    ("schedule_too_frequent", ""): "how often a schedule comes",
    ("field_invalid", "check"): "which fields belong to which expectation",
    ("check_address_blocked", ""): "an address that may be requested",
}
"""Refusals of what the schema allows, by code and how the detail begins, with what a schema can't say."""


def check(response: requests.Response, **_: object) -> None:
    """Nothing may be answered that is not described, either."""
    request, headers = response.request, {name.lower(): value for name, value in response.headers.items()}
    path = urlsplit(request.url or "").path
    check_answer(request.method or "", str(path), response.status_code, headers, response.content)


SESSION = requests.Session()
SESSION.hooks["response"].append(check)
_numbers = count(1)

Request: TypeAlias = Case[Any]


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    """With a gateway that lets everything through: throttles are not what is described."""
    folder = tmp_path_factory.mktemp("described")
    unthrottled = folder / "template.yaml"
    template = re.sub(r"(Throttling\w+Limit): \d+", r"\1: 10000", (ROOT / "template.yaml").read_text("utf-8"))
    unthrottled.write_text(template, "utf-8")
    environ = {"OMNIFORGE_TURNS_PER_MINUTE": "60000", "OMNIFORGE_TURNS_BURST": "10000"}
    with Twin(folder / "data", template=unthrottled, environ=environ) as running:
        yield running


def generated(name: str, mode: GenerationMode, **fixed: Any) -> Any:
    """Requests of an operation, good or bad by its schema."""
    method, path = name.split(" ")
    return SCHEMA[path][method].as_strategy(generation_mode=mode, **fixed)


def can_be_bad(name: str) -> bool:
    """Whether an operation takes more than ids, which may be any text."""
    method, path = name.split(" ")
    operation = DOCUMENT["paths"][path][method.lower()]
    return "requestBody" in operation or any(
        each["in"] == "query" and each["schema"] for each in operation.get("parameters", ())
    )


def sent(request: Request, person: Person, *roles: str) -> Response:
    request.body = plain(request.body)
    return request.call(
        base_url=person.twin.url, session=SESSION, headers={"Authorization": f"Bearer {person.token(*roles)}"}
    )


def plain(value: Any) -> Any:
    """The value with whole numbers written as such: to JSON Schema ``90.0`` is one, to us it is none."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    return [plain(member) for member in value] if isinstance(value, list) else value


def must_conform(request: Request, response: Response) -> None:
    """What schemathesis checks of every answer, but for what is skipped."""
    skipped = set(SKIPPED_CHECKS)
    if response.headers["content-type"][0].startswith("text/event-stream"):
        skipped |= set(STREAMS)
    excluded: list[Any] = [CHECKS.get_one(name) for name in skipped]
    request.validate_response(response, excluded_checks=excluded)
    if request.meta and request.meta.generation.mode is GenerationMode.POSITIVE:
        only_what_no_schema_says(response)


def only_what_no_schema_says(response: Response) -> None:
    """A request that is good by the schema is refused for a listed reason only."""
    if response.status_code in {400, 413, 415, 422}:
        problem = response.json()
        code, detail = str(problem["code"]), str(problem.get("detail", ""))
        assert [known for known in UNSAYABLE if known[0] == code and detail.startswith(known[1])], problem


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_answers_as_it_is_described(twin: Twin, name: str) -> None:
    owner = Person(twin, f"tenant-{next(_numbers)}", "maya")
    own = owner.create_belongings(OPERATIONS[name].path_ids, of_user="edit" in name)

    @example_settings(3)
    @given(request=generated(name, GenerationMode.POSITIVE, path_parameters=own))
    def answers(request: Request) -> None:
        must_conform(request, sent(request, owner, *EVERY_ROLE))

    answers()


@pytest.mark.parametrize("name", [name for name in OPERATIONS if can_be_bad(name)])
def test_what_is_no_request_of_an_operation_is_refused_as_described(twin: Twin, name: str) -> None:
    owner = Person(twin, f"tenant-{next(_numbers)}", "maya")

    @example_settings(3)
    @given(request=generated(name, GenerationMode.NEGATIVE))
    def refuses(request: Request) -> None:
        must_conform(request, sent(request, owner, *EVERY_ROLE))

    refuses()


@pytest.mark.parametrize("name", [name for name, each in OPERATIONS.items() if not each.is_public])
def test_nobody_else_gets_at_what_is_somebodys(twin: Twin, name: str) -> None:
    operation = OPERATIONS[name]
    owner = Person(twin, f"tenant-{next(_numbers)}", "maya")
    own = owner.create_belongings(operation.ids, of_user="edit" in name)
    in_path = {each: own[each] for each in operation.path_ids}

    @example_settings(2)
    @given(request=generated(name, GenerationMode.POSITIVE, path_parameters=in_path))
    def keeps_to_itself(request: Request) -> None:
        if isinstance(request.body, dict):
            request.body |= {each: own[each] for each in operation.ids if each not in in_path}
        for stranger in strangers(owner):
            response = sent(request, stranger)
            must_conform(request, response)
            assert owner.canary not in response.text
            assert not own or response.status_code in REFUSED

    keeps_to_itself()


def strangers(owner: Person) -> tuple[Person, Person]:
    """Another user of the tenant, and somebody else's of the same name in another tenant."""
    return Person(owner.twin, owner.tenant, "noah"), Person(owner.twin, f"{owner.tenant}-eu", "noah")


@pytest.mark.parametrize(
    "framing",
    [
        case("D11 shorter than told", "Content-Length: 50\r\n\r\n{}"),
        case("D11 no number", "Content-Length: many\r\n\r\n{}"),
        case("D11 two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"),
        case("D11 garbage for a chunk", "Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n"),
        case("D11 an unknown coding", "Transfer-Encoding: gzip\r\n\r\n{}"),
    ],
)
def test_a_request_that_is_no_http_reaches_nobody(twin: Twin, framing: str) -> None:
    head = f"POST /v1/chat HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {twin.token()}\r\n"
    with socket.create_connection(("127.0.0.1", twin.port), timeout=10) as raw:
        raw.sendall(f"{head}Content-Type: application/json\r\n{framing}".encode())
        raw.shutdown(socket.SHUT_WR)
        status = raw.makefile("rb").readline()
    assert status == b"" or status.split()[1].startswith(b"4")
    assert twin.request("GET", "/health", token=None).status_code == 200
