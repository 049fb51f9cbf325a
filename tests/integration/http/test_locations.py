"""Every 201 and 202 that the description lists names a place, and it is there at every address of the API."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin

import pytest

from conversation.clock import SystemClock
from conversation.identity import Caller
from conversation.token_counts import TokenCounter
from conversation.turns.admission import IncomingMessage
from conversation.turns.turn_protocol import TurnProtocol
from edge.http.resolver import PREFIX_HEADER
from edge.routes import docs
from local.template.interpreter import interpret
from local.template.intrinsics import Resolver
from local.template.resources import Stack
from local.template.sam_translation import read_template
from storage.factory import open_table
from storage.keys import parse_tenant
from storage.tenant_table import Tables
from tests.fakes.aws.proxy_events import Answer, Context, answer, request
from tests.fakes.deployment.creating_functions import AGENT, FILE, SKILL, CreatingFunctions
from tests.fakes.deployment.functions import with_attachments

TEMPLATE = read_template(Path(__file__).parents[3] / "template.yaml")
DOCUMENT: Mapping[str, Any] = json.loads(Path(docs.__file__).with_name("openapi.json").read_text("utf-8"))
MAKING = {
    f"{method.upper()} {path}": status
    for path, operations in DOCUMENT["paths"].items()
    for method, operation in operations.items()
    for status in ("201", "202")
    if status in operation["responses"]
}
FUNCTIONS = {
    "ChatFunction": "chat",
    "ConversationsFunction": "conversations",
    "TenantsFunction": "tenants",
    "WorkspaceFunction": "workspace",
}
EVERY_ROLE = "admin operator"
CLOCK = SystemClock()


class Address(NamedTuple):
    """An address of the API, and what the gateway and CloudFront add to a request that came by it."""

    url: str
    stage: str
    headers: Mapping[str, str]


def printed(name: str, **parameters: str) -> str:
    """An output of the stack."""
    return str(Resolver(TEMPLATE, parameters).resolve(TEMPLATE["Outputs"][name]["Value"]))


ADDRESSES = {
    "of the gateway": Address(printed("ApiUrl"), "/dev", {}),
    "of a domain": Address(printed("ApiUrl", DomainName="chat.example.com"), "", {}),
    "of the page": Address(printed("PageUrl", Page="yes"), "/dev", {PREFIX_HEADER: "/"}),
}


class Hurried(Context):
    """An invocation that ends soon."""

    @staticmethod
    def get_remaining_time_in_millis() -> int:
        return 2_300


class Api(CreatingFunctions):
    """The functions behind one address, found by the template's routes."""

    def __init__(self, folder: Path, address: Address, stack: Stack) -> None:
        super().__init__(with_attachments(folder, OMNIFORGE_RUN_QUEUE=f"sqlite:///{folder}/runs.db"))
        self._address, self._stack = address, stack

    def function_of(self, method: str, path: str) -> str:
        """The folder of the function that serves a path."""
        parts = path.split("/")
        for route in sorted(self._stack.routes, key=lambda route: route.path.count("{")):
            own = route.path.split("/")
            same = len(own) == len(parts) and all(
                a == b or a[:1] == "{" for a, b in zip(own, parts, strict=True)
            )
            if same and route.method == method and route.function:
                return FUNCTIONS[route.function]
        raise AssertionError(f"there is no {method} {path}")

    def call(self, method: str, path: str, body: object = None, context: Context | None = None) -> Answer:
        """Send a request by the address, as an admin and operator."""
        name = self.function_of(method, path)
        event = request(method, path, body=body, headers=self._address.headers, roles=EVERY_ROLE)
        event["requestContext"]["path"] = self._address.stage + path
        return answer(self.load(name).handler(event, context or Context()))

    def follow(self, method: str, path: str, location: str) -> Answer:
        """Read the place that an answer names, as a client does that knows only the address it used."""
        place = urljoin(f"{self._address.url}{path}", location)
        assert place.startswith(f"{self._address.url}/v1/"), (method, path, place)
        return self.call("GET", place.removeprefix(self._address.url))

    def leave_waiting(self, conversation: str) -> None:
        """Have a message of the conversation answered by somebody who takes long."""
        tables = Tables(open_table(self.settings["OMNIFORGE_TABLE"]))
        TurnProtocol(tables=tables, clock=CLOCK, tokens=TokenCounter(None)).admit(
            IncomingMessage(Caller(parse_tenant("acme"), "maya"), "first", conversation_id=conversation),
            owner="somebody",
            caller_until=CLOCK.now() + timedelta(seconds=60),
            retention_days=30,
        )

    def busy(self) -> str:
        """A conversation whose next message has to wait."""
        conversation = self.conversation()
        self.leave_waiting(conversation)
        return conversation

    def messages(self, conversation: str) -> list[dict[str, Any]]:
        listed = self.call("GET", f"/v1/conversations/{conversation}/messages").json
        return list(listed["items"])


Making = Callable[[Api], Answer]


def in_chat(path: str) -> Making:
    def make(api: Api) -> Answer:
        return api.call("POST", path, {"message": "second", "conversation_id": api.busy()}, Hurried())

    return make


def of_message(what: str, role: str, body: object) -> Making:
    def make(api: Api) -> Answer:
        conversation = api.conversation()
        message = next(each for each in api.messages(conversation) if each["role"] == role)
        api.leave_waiting(conversation)
        path = f"/v1/conversations/{conversation}/messages/{message['id']}/{what}"
        return api.call("POST", path, body, Hurried())

    return make


def stopping(api: Api) -> Answer:
    waiting = in_chat("/v1/chat")(api)
    return api.call("POST", f"/v1/turns/{waiting.json['turn_id']}/stop")


def erasing_the_tenant(api: Api) -> Answer:
    assert api.call("PUT", "/v1/tenants/acme", {"name": "Acme"}).status == 200
    return api.call("POST", "/v1/tenants/acme/erasures", {})


WAYS: Mapping[str, Making] = {
    "POST /v1/agents": lambda api: api.call("POST", "/v1/agents", AGENT),
    "POST /v1/agents/{agent_id}/runs": lambda api: api.call("POST", f"/v1/agents/{api.agent()}/runs", {}),
    "POST /v1/attachments": lambda api: api.call("POST", "/v1/attachments", FILE),
    "POST /v1/chat": in_chat("/v1/chat"),
    "POST /v1/conversations": lambda api: api.call("POST", "/v1/conversations", {}),
    "POST /v1/conversations/{conversation_id}/erasures": lambda api: api.call(
        "POST", f"/v1/conversations/{api.conversation()}/erasures", {}
    ),
    "POST /v1/conversations/{conversation_id}/fork": lambda api: api.call(
        "POST", f"/v1/conversations/{api.conversation()}/fork", {}
    ),
    "POST /v1/conversations/{conversation_id}/messages/{message_id}/edit": of_message(
        "edit", "user", {"message": "hello"}
    ),
    "POST /v1/conversations/{conversation_id}/messages/{message_id}/regenerate": of_message(
        "regenerate", "assistant", {}
    ),
    "POST /v1/skills": lambda api: api.call("POST", "/v1/skills", {**SKILL, "name": "notes"}),
    "POST /v1/skills/{skill_id}/check": lambda api: api.call("POST", f"/v1/skills/{api.skill()}/check"),
    "POST /v1/tasks": lambda api: api.call("POST", "/v1/tasks", {"title": "buy milk"}),
    "POST /v1/tenants/{tenant_id}/erasures": erasing_the_tenant,
    "POST /v1/turns/{turn_id}/stop": stopping,
    "POST /v1/users/{user_id}/chat": in_chat("/v1/users/maya/chat"),
    "POST /v1/users/{user_id}/erasures": lambda api: api.call("POST", "/v1/users/bob/erasures", {}),
}
ELSEWHERE = frozenset({"POST /v1/connections/sign-ins", "POST /v1/runs/{run_id}/approvals"})
"""The one needs a service to sign in to, and `test_connections` has one. The other needs a run that held a
call: `test_held_calls` makes one, and its place is that of any run.
"""


@pytest.fixture(scope="module")
def stack() -> Stack:
    return interpret(TEMPLATE, {})


@pytest.fixture(scope="module", params=list(ADDRESSES.values()), ids=list(ADDRESSES))
def api(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, stack: Stack) -> Api:
    return Api(tmp_path_factory.mktemp("api"), request.param, stack)


def test_every_operation_that_makes_something_is_here_and_describes_where_it_is() -> None:
    assert MAKING.keys() == WAYS.keys() | ELSEWHERE
    for name, status in MAKING.items():
        method, path = name.split()
        answered = DOCUMENT["paths"][path][method.lower()]["responses"][status]
        assert "Location" in answered["headers"], name


@pytest.mark.parametrize("name", [name for name in WAYS if not name.startswith("POST /v1/tenants")])
def test_the_place_of_what_was_made_is_there_at_the_address_that_was_asked(api: Api, name: str) -> None:
    made = WAYS[name](api)
    assert str(made.status) == MAKING[name], made.body
    found = api.follow("POST", name.split()[1], made.headers["location"])
    assert found.status == 200, found.body


def test_the_place_of_a_tenants_erasures_is_there(tmp_path: Path, stack: Stack) -> None:
    for number, address in enumerate(ADDRESSES.values()):
        (folder := tmp_path / str(number)).mkdir()
        api = Api(folder, address, stack)
        made = erasing_the_tenant(api)
        assert made.status == 202, made.body
        assert api.follow("POST", "/v1/tenants/acme/erasures", made.headers["location"]).status == 200


def test_no_client_names_a_prefix_of_its_own(tmp_path: Path, stack: Stack) -> None:
    address = Address("https://api.example.com/dev", "/dev", {PREFIX_HEADER: "//evil.example"})
    made = Api(tmp_path, address, stack).call("POST", "/v1/tasks", {"title": "buy milk"})
    assert made.headers["location"] == f"/dev/v1/tasks/{made.json['id']}"
