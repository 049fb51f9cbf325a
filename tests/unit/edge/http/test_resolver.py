"""The resolver under routes of the test's own, invoked with events as API Gateway sends them."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pydantic import BaseModel

from conversation.errors import ConversationBusy, ConversationNotFound, DomainError
from edge.http.caller import AdminParam, CallerParam, ClaimedTimeZoneParam, NamedCallerParam
from edge.http.closed_users import MAX_LISTED, closed_users_context
from edge.http.parameters import DEFAULT_LIMIT, IdempotencyKeyParam, LimitParam
from edge.http.problems import STATUSES, Problem
from edge.http.request_models import Body
from edge.http.resolver import HttpApi, RequestId, SecondsLeftParam
from edge.observability import RequestLog
from storage.errors import InvalidPosition, StorageUnavailable
from tests.fakes.aws.proxy_events import FAR_FUTURE, Answer, Context, answer, request
from tests.fakes.run.clocks import ManualClock

PATH = "/v1/things"


class Thing(Body):
    name: str


class Seen(BaseModel):
    value: object


def api_of(clock: ManualClock, origins: tuple[str, ...] = ()) -> HttpApi:
    return HttpApi(origins=origins, clock=clock, request_log=RequestLog("test"))


def send(api: HttpApi, event: dict[str, Any]) -> Answer:
    return answer(api.resolve(event, Context()))


@pytest.fixture
def api(clock: ManualClock) -> HttpApi:
    api = api_of(clock)

    @api.get(PATH)
    def list_things(caller: CallerParam, limit: LimitParam = DEFAULT_LIMIT) -> Seen:
        return Seen(value=[caller.tenant, caller.user, sorted(caller.roles), limit])

    @api.post(PATH, status_code=201)
    def create_thing(caller: CallerParam, body: Thing, idempotency_key: IdempotencyKeyParam = None) -> Seen:
        return Seen(value=[body.name, idempotency_key])

    @api.put(PATH)
    def replace_things(caller: AdminParam) -> Seen:
        return Seen(value=caller.user)

    @api.get("/v1/things/<thing_id>")
    def read_thing(caller: CallerParam, thing_id: str) -> Seen:
        return Seen(value=thing_id)

    @api.delete("/v1/things/<thing_id>", status_code=204)
    def delete_thing(caller: CallerParam, thing_id: str) -> None:
        return None

    @api.get("/v1/users/<user_id>/things")
    def list_users_things(user_id: str, caller: NamedCallerParam) -> Seen:
        return Seen(value=caller.user)

    @api.get("/v1/present")
    def describe_request(zone: ClaimedTimeZoneParam, left: SecondsLeftParam, request_id: RequestId) -> Seen:
        return Seen(value=[zone, left, request_id])

    @api.get("/page")
    def page() -> Seen:
        return Seen(value="page")

    return api


def failing(clock: ManualClock, error: Exception) -> Answer:
    api = api_of(clock)

    @api.get(PATH)
    def fail() -> None:
        raise error

    return send(api, request("GET", PATH))


def test_a_route_is_called_with_who_asks_and_what_they_sent(api: HttpApi) -> None:
    listed = send(api, request("GET", f"{PATH}?limit=7", roles="admin service"))
    created = send(api, request("POST", PATH, body={"name": "x"}, headers={"idempotency-KEY": "k 1"}))

    assert (listed.status, listed.json) == (200, {"value": ["acme", "maya", ["admin", "service"], 7]})
    assert (created.status, created.json) == (201, {"value": ["x", "k 1"]})
    assert created.headers["content-type"] == "application/json"


def test_an_answer_may_be_empty(api: HttpApi) -> None:
    deleted = send(api, request("DELETE", f"{PATH}/1"))

    assert (deleted.status, deleted.body) == (204, "")


def test_every_answer_names_the_gateways_request_id_and_no_other(api: HttpApi) -> None:
    event = request("GET", f"{PATH}/", headers={"X-Request-Id": "mine\r\nSet-Cookie: a=b"})
    refused = send(api, event)

    assert (
        refused.json["request_id"] == refused.headers["x-request-id"] == event["requestContext"]["requestId"]
    )


@pytest.mark.parametrize(
    "path", ["/", "/v1", f"{PATH}/", f"{PATH}//", f"/{PATH}", f"{PATH}/1/", f"{PATH}\n", "/V1/things"]
)
def test_a_path_is_known_letter_by_letter(api: HttpApi, path: str) -> None:
    refused = send(api, request("GET", path))

    assert (refused.status, refused.code) == (404, "route_not_found")


@pytest.mark.parametrize("name", ["a", "T#other#C#1", 'a"b', "a b", "%2e", "ä", "a;b"])
def test_a_path_parameter_is_any_text_without_a_slash(api: HttpApi, name: str) -> None:
    assert send(api, {**request("GET", PATH), "path": f"{PATH}/{name}"}).json == {"value": name}


def test_a_known_path_says_which_methods_it_has(api: HttpApi) -> None:
    refused = send(api, request("PATCH", PATH))

    assert (refused.status, refused.code) == (405, "method_not_allowed")
    assert refused.headers["allow"] == "GET, POST, PUT"


@pytest.mark.parametrize("method", ["DELETE", "PATCH"])
def test_a_fixed_path_is_no_parameter_of_another(api: HttpApi, method: str) -> None:
    @api.get("/v1/things/newest")
    def read_newest(caller: CallerParam) -> Seen:
        return Seen(value="newest")

    refused = send(api, request(method, "/v1/things/newest"))

    assert send(api, request("GET", "/v1/things/newest")).json == {"value": "newest"}
    assert (refused.status, refused.headers["allow"]) == (405, "GET")


def test_a_method_override_is_ignored(api: HttpApi) -> None:
    overriding = request("GET", f"{PATH}/1", headers={"X-HTTP-Method-Override": "DELETE"})

    assert send(api, overriding).status == 200


def test_without_an_authorizer_nobody_is_anybody(api: HttpApi) -> None:
    refused = send(api, request("POST", PATH, body="{", authorized=False))

    assert (refused.status, refused.code) == (401, "auth_invalid")


def test_a_token_that_expired_since_the_gateway_looked_is_refused(api: HttpApi, clock: ManualClock) -> None:
    clock.advance(FAR_FUTURE - clock.now().timestamp() - 1)
    assert send(api, request("GET", PATH)).status == 200

    clock.advance(1)
    refused = send(api, request("GET", PATH))

    assert (refused.status, refused.code) == (401, "auth_invalid")


def test_a_role_opens_what_needs_it(api: HttpApi) -> None:
    refused = send(api, request("PUT", PATH))

    assert (refused.status, refused.code) == (403, "role_required")
    assert send(api, request("PUT", PATH, roles="admin")).status == 200


def test_a_service_acts_for_the_user_it_names_with_none_of_its_roles(api: HttpApi) -> None:
    named = {"x-omniforge-user": "auth0|123"}

    acting = send(api, request("GET", PATH, headers=named, user="backend", roles="service admin"))
    itself = send(api, request("GET", PATH, user="backend", roles="service"))

    assert acting.json["value"][:3] == ["acme", "auth0|123", []]
    assert itself.json["value"][:3] == ["acme", "backend", ["service"]]


def test_nobody_else_names_a_user(api: HttpApi) -> None:
    refused = send(api, request("GET", PATH, headers={"X-OmniForge-User": "bob"}, roles="admin"))

    assert (refused.status, refused.code) == (403, "role_required")


@pytest.mark.parametrize("others", [0, MAX_LISTED - 1])
def test_a_service_does_not_act_for_a_user_who_is_being_erased(api: HttpApi, others: int) -> None:
    in_erasure = ["auth0|123", *(f"user-{number}" for number in range(others))]

    def ask(user: str | None) -> Answer:
        headers = {} if user is None else {"X-OmniForge-User": user}
        event = request("GET", PATH, headers=headers, user="backend", roles="service")
        event["requestContext"]["authorizer"] |= closed_users_context(in_erasure)
        return send(api, event)

    assert (ask("auth0|123").status, ask("auth0|123").code) == (403, "user_being_erased")
    assert ask("bob").json["value"][1] == "bob"
    assert ask(None).json["value"][1] == "backend"


def test_a_service_acts_for_nobody_while_more_users_are_erased_than_it_can_be_told(api: HttpApi) -> None:
    event = request("GET", PATH, headers={"X-OmniForge-User": "bob"}, roles="service")
    event["requestContext"]["authorizer"] |= closed_users_context(
        [f"user-{n}" for n in range(MAX_LISTED + 1)]
    )

    assert (send(api, event).status, send(api, event).code) == (403, "user_being_erased")


def test_what_a_service_is_told_of_erasures_fits_into_the_gateways_context() -> None:
    assert len(closed_users_context(["x" * 255 + str(n) for n in range(MAX_LISTED)])["closed_users"]) < 4_096
    assert closed_users_context([]) == {}


@pytest.mark.parametrize("user", ["", "  ", "x" * 256, "a\nb"])
def test_a_service_has_to_name_a_possible_user(api: HttpApi, user: str) -> None:
    refused = send(api, request("GET", PATH, headers={"X-OmniForge-User": user}, roles="service"))

    assert (refused.status, refused.code) == (403, "user_invalid")


@pytest.mark.parametrize(
    ("user", "segment"), [("maya", "maya"), ("auth0|1", "auth0%7C1"), ("a%20b", "a%20b")]
)
def test_the_user_in_a_path_is_the_tokens(api: HttpApi, user: str, segment: str) -> None:
    assert send(api, request("GET", f"/v1/users/{segment}/things", user=user)).json == {"value": user}


@pytest.mark.parametrize("segment", ["bob", "Maya", "maya%20", "%6Daya%00"])
def test_another_user_in_a_path_is_refused(api: HttpApi, segment: str) -> None:
    refused = send(api, request("GET", f"/v1/users/{segment}/things"))

    assert (refused.status, refused.code) == (403, "user_mismatch")


def test_a_route_can_ask_for_what_is_known_of_the_request(api: HttpApi) -> None:
    event = request("GET", "/v1/present")
    event["requestContext"]["authorizer"]["zoneinfo"] = "Europe/Paris"

    assert send(api, event).json == {"value": ["Europe/Paris", 28.0, event["requestContext"]["requestId"]]}


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../etc/passwd"])
def test_a_claimed_time_zone_that_is_none_is_left_out(api: HttpApi, zone: str) -> None:
    event = request("GET", "/v1/present")
    event["requestContext"]["authorizer"]["zoneinfo"] = zone

    assert send(api, event).json["value"][0] is None


@pytest.mark.parametrize(
    "accept", ["text/html", "text/html, image/*", "application/json;q=0", "", "application/xml;q=1"]
)
def test_a_client_that_takes_no_json_is_told_so_before_anything_happens(api: HttpApi, accept: str) -> None:
    refused = send(api, request("DELETE", f"{PATH}/1", headers={"Accept": accept}))

    assert (refused.status, refused.code) == (406, "not_acceptable")


@pytest.mark.parametrize(
    "accept", ["*/*", "application/json", "text/html,*/*;q=0.1", "Application/*", "application/problem+json"]
)
def test_a_client_that_takes_json_somehow_gets_it(api: HttpApi, accept: str) -> None:
    assert send(api, request("GET", PATH, headers={"Accept": accept})).status == 200


def test_pages_are_for_browsers(api: HttpApi) -> None:
    assert send(api, request("GET", "/page", headers={"Accept": "text/html"}, authorized=False)).status == 200


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Problem("cursor_expired"), 400, "cursor_expired"),
        (ConversationNotFound(), 404, "conversation_not_found"),
        (InvalidPosition("x"), 400, "cursor_invalid"),
        (StorageUnavailable(), 503, "storage_unavailable"),
        (TypeError("hunter2"), 500, "internal"),
        (RecursionError("hunter2"), 500, "internal"),
    ],
)
def test_every_error_becomes_a_problem(clock: ManualClock, error: Exception, status: int, code: str) -> None:
    refused = failing(clock, error)

    assert (refused.status, refused.code) == (status, code)
    assert "hunter2" not in refused.body


@pytest.mark.parametrize(("error", "seconds"), [(ConversationBusy(), "2"), (StorageUnavailable(), "2")])
def test_what_may_succeed_later_says_when(clock: ManualClock, error: Exception, seconds: str) -> None:
    assert failing(clock, error).headers["retry-after"] == seconds


def every_error(kind: type[DomainError] = DomainError) -> list[type[DomainError]]:
    return [error for direct in kind.__subclasses__() for error in (direct, *every_error(direct))]


def test_every_refusal_of_the_domain_has_a_status() -> None:
    import agent.turns.service
    import agent.workspace.errors  # noqa: F401
    import conversation.tenants.store  # noqa: F401

    coded = {error.code for error in every_error() if "code" in vars(error)}

    assert coded
    assert coded <= STATUSES.keys()


def test_a_page_of_a_listed_origin_may_read_answers_and_errors(clock: ManualClock) -> None:
    api = api_of(clock, ("https://a.example", "https://b.example"))

    for origin in ("https://a.example", "https://b.example"):
        refused = send(api, request("GET", "/nowhere", headers={"Origin": origin}))
        assert refused.headers["access-control-allow-origin"] == origin
        assert "Idempotency-Replayed" in refused.headers["access-control-expose-headers"]
        assert refused.headers["vary"] == "Origin"
    stranger = send(api, request("GET", "/nowhere", headers={"Origin": "https://evil.example"}))
    assert "access-control-allow-origin" not in stranger.headers


def test_many_requests_at_once_are_not_mixed_up(clock: ManualClock) -> None:
    """Powertools keeps the request at hand on a class; on a laptop many are at hand."""
    api, all_arrived = api_of(clock), threading.Barrier(8)

    @api.get("/v1/things/<thing_id>")
    def read_thing(caller: CallerParam, thing_id: str, request_id: RequestId) -> Seen:
        all_arrived.wait()
        return Seen(value=[caller.user, thing_id, request_id])

    def ask(number: int) -> Answer:
        event = request("GET", f"{PATH}/{number}", user=f"user-{number}")
        event["requestContext"]["requestId"] = f"request-{number}"
        return send(api, event)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(8)))

    for number, answered in enumerate(answers):
        assert answered.json["value"] == [f"user-{number}", str(number), f"request-{number}"]
        assert answered.headers["x-request-id"] == f"request-{number}"
