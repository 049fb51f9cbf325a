"""Every built function, with only its own layers, answers its files in `events`."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from local.sign_in.issuer import AUDIENCE, ISSUER, Issuer
from tests.built.build import ROOT
from tests.built.emulator import EmulatedFunction, FunctionFailed, sample
from tests.fakes.http.sse_client import frames_in

pytestmark = pytest.mark.built

EVENTS = ROOT / "events"
UNKNOWN = 404
"""What a sample about one conversation, turn or agent gets: its id was made up."""

STATUSES: Mapping[str, Mapping[str, int]] = {
    "chat": {
        "message": 200,
        "message_of_user": 200,
        "edit": UNKNOWN,
        "regenerate": UNKNOWN,
        "stray_byte": 400,
        "two_tokens": 401,
        "other_method": 405,
    },
    "conversations": {
        "list": 200,
        "create": 201,
        "read": UNKNOWN,
        "active": 200,
        "rename": UNKNOWN,
        "archive": UNKNOWN,
        "restore": UNKNOWN,
        "fork": UNKNOWN,
        "rate": UNKNOWN,
        "versions": UNKNOWN,
        "select": UNKNOWN,
        "pin": UNKNOWN,
        "delete_message": UNKNOWN,
        "messages": UNKNOWN,
        "delete": UNKNOWN,
        "search": 200,
        "turn": UNKNOWN,
        "stop": UNKNOWN,
        "context": UNKNOWN,
        "health": 200,
        "openapi": 200,
        "docs": 200,
    },
    "workspace": {
        "list_agents": 200,
        "create_agent": 201,
        "list_runs": 200,
        "list_skills": 200,
        "read_policy": 200,
    },
    "tenants": {
        "create_tenant": 200,
        "suspend_tenant": 200,
        "place_hold": UNKNOWN,
        "erase_user": 202,
        "oversee_conversations": 200,
        "read_audit": 200,
    },
    "mcp": {"list_tools": 200, "call_tool": 200, "open_stream": 405},
}

STREAMED: Mapping[str, int] = {
    "message": 200,
    "message_of_user": 200,
    "edit": UNKNOWN,
    "regenerate": UNKNOWN,
}
FOLLOWED = ("consequences/agent_created", "consequences/agent_paused", "consequences/agent_deleted",
            "consequences/run_queued", "consequences/skill_registered", "consequences/first_message",
            "enrichment/first_message", "enrichment/message_stored", "enrichment/feedback_given")  # fmt: skip
EXECUTED = ("agent_runs/asked", "agent_runs/scheduled", "agent_runs/skill_check")
"""Those of `test_built_runs`."""
RETAINED = ("retention/schedule", "retention/dry_run", "retention/redate", "retention/erase")
"""Those of `test_built_retention`."""

Start = Callable[..., EmulatedFunction]


@pytest.mark.parametrize("folder", STATUSES)
def test_a_built_function_answers_its_events(folder: str, start: Start) -> None:
    function = start(f"{folder.capitalize()}Function")
    events = {name: sample(EVENTS / folder / f"{name}.json") for name in STATUSES[folder]}
    if folder == "mcp":  # all its answers are sent as streams
        answers = {name: function.stream(event)[0] for name, event in events.items()}
    else:
        answers = {name: function.invoke(event) for name, event in events.items()}
    assert {name: answer["statusCode"] for name, answer in answers.items()} == STATUSES[folder]


def test_every_event_has_an_expected_answer() -> None:
    kept = {path.relative_to(EVENTS).with_suffix("").as_posix() for path in EVENTS.glob("*/*.json")}
    expected = {f"{folder}/{name}" for folder, names in STATUSES.items() for name in names}
    expected |= {f"stream/{name}" for name in STREAMED}
    elsewhere = {
        "authorizer/token",
        "finish/unfinished",
        "token_claims/sign_in",
        *FOLLOWED,
        *EXECUTED,
        *RETAINED,
    }
    assert kept == expected | elsewhere


def test_the_built_stream_tells_what_the_built_conversations_read(start: Start) -> None:
    function = start("StreamFunction")
    answers = {name: function.stream(sample(EVENTS / "stream" / f"{name}.json")) for name in STREAMED}
    assert {name: beginning["statusCode"] for name, (beginning, _) in answers.items()} == STREAMED
    _, body = answers["message_of_user"]
    first, *_, last = frames_in([body])
    assert (first.name, last.name) == ("turn", "done")
    read = sample(EVENTS / "conversations" / "messages.json")
    read["pathParameters"] = {"conversation_id": first.data["conversation_id"]}
    read["path"] = f"/v1/conversations/{first.data['conversation_id']}/messages"
    page = json.loads(start("ConversationsFunction").invoke(read)["body"])
    assert page["items"][1]["content"] == last.data["message"]["content"]


def test_what_the_built_chat_stored_is_read_by_the_built_conversations(start: Start) -> None:
    event = sample(EVENTS / "chat" / "message_of_user.json")
    reply = json.loads(start("ChatFunction").invoke(event)["body"])
    read = sample(EVENTS / "conversations" / "messages.json")
    read["pathParameters"] = {"conversation_id": reply["conversation_id"]}
    read["path"] = f"/v1/conversations/{reply['conversation_id']}/messages"
    page = json.loads(start("ConversationsFunction").invoke(read)["body"])
    assert [message["content"] for message in page["items"]] == [
        json.loads(event["body"])["message"],
        reply["message"]["content"],
    ]


def test_the_built_finish_reports_a_conversation_with_nothing_to_finish_as_done(start: Start) -> None:
    answer = start("FinishFunction").invoke(sample(EVENTS / "finish" / "unfinished.json"))
    assert answer == {"batchItemFailures": []}


def test_the_built_authorizer_turns_a_token_into_who_is_asking(start: Start, tmp_path: Path) -> None:
    issuer = Issuer(tmp_path)
    event = sample(EVENTS / "authorizer" / "token.json")
    token = issuer.access_token(tenant="acme", user="maya", roles=["admin"], now=datetime.now(UTC))
    with serving(issuer.jwks()) as jwks_url:
        policy = start("AuthorizerFunction", **token_settings(jwks_url)).invoke(
            {**event, "authorizationToken": f"Bearer {token}"}
        )
    assert policy["policyDocument"]["Statement"][0]["Effect"] == "Allow"
    assert policy["context"].items() >= {"tenant": "acme", "user": "maya", "roles": "admin"}.items()


def test_the_built_authorizer_refuses_the_sample_token(start: Start, tmp_path: Path) -> None:
    with serving(Issuer(tmp_path).jwks()) as jwks_url:
        function = start("AuthorizerFunction", **token_settings(jwks_url))
        with pytest.raises(FunctionFailed, match="Unauthorized"):
            function.invoke(sample(EVENTS / "authorizer" / "token.json"))


def test_the_built_token_claims_name_a_cognito_users_tenant(start: Start) -> None:
    answer = start("TokenClaimsFunction").invoke(sample(EVENTS / "token_claims" / "sign_in.json"))
    details = answer["response"]["claimsAndScopeOverrideDetails"]
    assert details["accessTokenGeneration"]["claimsToAddOrOverride"] == {"tenant": "acme"}


def token_settings(jwks_url: str) -> dict[str, str]:
    return {
        "OMNIFORGE_JWT_ISSUERS": ISSUER,
        "OMNIFORGE_JWT_AUDIENCE": AUDIENCE,
        "OMNIFORGE_JWT_JWKS_URLS": jwks_url,
    }


@contextmanager
def serving(document: Mapping[str, Any]) -> Iterator[str]:
    """The address a JSON document is served at, on loopback."""
    body = json.dumps(document).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing of it belongs into the tests' output."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/jwks.json"
        server.shutdown()
