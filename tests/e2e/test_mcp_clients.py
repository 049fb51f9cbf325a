"""The official MCP client signs in by itself, and talks with the assistant by the tool `chat`."""

from __future__ import annotations

import html
import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urljoin, urlsplit

import anyio
import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)

from tests.fakes.deployment.twin import Twin

pytestmark = pytest.mark.e2e

Told = TypeVar("Told")
CALLBACK = "http://127.0.0.1:3939/callback"
MESSAGE = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
METADATA = "/.well-known/oauth-protected-resource"
KEY, REPLAYED = "omniforge/idempotency-key", "omniforge/idempotency-replayed"


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("twin"), environ={"OMNIFORGE_INTENT_MODEL": ""}) as running:
        yield running


class Memory:
    """What a client keeps of its registration and its tokens."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class Browser:
    """A user at the provider's form: signs in, or cancels."""

    def __init__(self, **said: str) -> None:
        self.said = {"tenant": "acme", "user": "maya", "role": "", **said}
        self.form = ""
        self.result: dict[str, str] = {}

    async def opens(self, url: str) -> None:
        async with httpx2.AsyncClient(trust_env=False) as http:
            self.form = (await http.get(url)).text
            action = html.unescape(re.findall(r'<form method="post" action="([^"]+)"', self.form)[0])
            sent = await http.post(urljoin(url, action), data=self.said)
        assert sent.status_code == 303
        assert sent.headers["location"].startswith(f"{CALLBACK}?")
        self.result = dict(parse_qsl(urlsplit(sent.headers["location"]).query))

    async def returns(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult(
            **{name: value for name, value in self.result.items() if name in {"code", "state", "iss"}}
        )


def signed_in(twin: Twin, browser: Browser, memory: Memory, use: Callable[[Client], Awaitable[Told]]) -> Told:
    metadata = OAuthClientMetadata(redirect_uris=[CALLBACK], client_name="Maya's <editor>")
    return connected(
        twin,
        OAuthClientProvider(f"{twin.url}/mcp", metadata, memory, browser.opens, browser.returns),
        use,
    )


def connected(twin: Twin, auth: Any, use: Callable[[Client], Awaitable[Told]]) -> Told:
    async def session() -> Told:
        async with (
            httpx2.AsyncClient(auth=auth, trust_env=False, timeout=240) as http,
            Client(streamable_http_client(f"{twin.url}/mcp", http_client=http)) as client,
        ):
            return await use(client)

    return anyio.run(session)


class Bearer(httpx2.Auth):
    """A token that the client was given."""

    def __init__(self, token: str) -> None:
        self.token = token

    def auth_flow(self, request: httpx2.Request) -> Iterator[httpx2.Request]:  # type: ignore[override]
        request.headers["Authorization"] = f"Bearer {self.token}"
        yield request


class Talk:
    """A user's conversation over MCP, a connection for each message."""

    def __init__(self, twin: Twin, tenant: str, user: str = "maya") -> None:
        self.twin, self.auth = twin, Bearer(twin.token(tenant, user))
        self.id: str | None = None
        self.last: dict[str, Any] = {}
        self.meta: dict[str, Any] = {}

    def says(self, message: str, *, key: str | None = None, **arguments: Any) -> str:
        """What the assistant replies."""
        arguments, meta = {"message": message, "conversation_id": self.id, **arguments}, _meta(key)
        result = connected(
            self.twin, self.auth, lambda client: client.call_tool("chat", arguments, meta=meta)
        )
        assert not result.is_error, result
        assert result.structured_content is not None
        self.last, self.meta = result.structured_content, dict(result.meta or {})
        self.id = self.last["conversation_id"]
        return str(self.last["reply"])

    def fails(self, message: Any, *, key: str | None = None, **arguments: Any) -> tuple[str, str]:
        """The code and the words of an error."""
        sent, meta = {"message": message, **arguments}, _meta(key)
        result = connected(self.twin, self.auth, lambda client: client.call_tool("chat", sent, meta=meta))
        assert result.is_error
        return result.meta["code"], result.content[0].text  # type: ignore[index, union-attr]

    def get(self, path: str) -> Any:
        return self.twin.get(path, token=self.auth.token)


def _meta(key: str | None) -> Any:
    return None if key is None else {KEY: key}


async def tools_of(client: Client) -> set[str]:
    return {tool.name for tool in (await client.list_tools()).tools}


def test_the_client_signs_in_with_no_token_given(twin: Twin) -> None:
    browser, memory = Browser(), Memory()

    assert {"chat", "create_task"} <= signed_in(twin, browser, memory, tools_of)

    assert memory.tokens is not None
    headers = {"Authorization": f"Bearer {memory.tokens.access_token}"}
    assert twin.http.get("/v1/tasks", headers=headers).status_code == 200
    # The user was told who asks, and where the browser would go.
    assert "Maya&#x27;s &lt;editor&gt;" in browser.form
    assert "http://127.0.0.1:3939" in browser.form


def test_a_user_who_cancels_gives_no_token(twin: Twin) -> None:
    browser, memory = Browser(answer="cancel"), Memory()
    with pytest.raises(ExceptionGroup):
        signed_in(twin, browser, memory, tools_of)

    assert browser.result["error"] == "access_denied"
    assert memory.tokens is None


def test_who_has_no_token_is_told_where_to_get_one(twin: Twin) -> None:
    refused = twin.http.post("/mcp", json=MESSAGE)

    assert refused.status_code == 401
    found = re.findall(r'^Bearer resource_metadata="([^"]+)"$', refused.headers["www-authenticate"])
    assert found == [f"{twin.url}{METADATA}/mcp"]
    assert twin.http.get(found[0]).json() == {
        "resource": f"{twin.url}/mcp",
        "authorization_servers": [twin.url],
        "scopes_supported": ["openid"],
        "bearer_methods_supported": ["header"],
        "resource_name": "OmniForge",
    }
    assert twin.http.get(METADATA).json()["resource"] == twin.url
    server = twin.http.get("/.well-known/oauth-authorization-server").json()
    assert (server["issuer"], server["code_challenge_methods_supported"]) == (twin.url, ["S256"])


@pytest.mark.parametrize(
    ("origin", "host", "status"),
    [
        (None, None, 200),
        ("{own}", None, 200),
        ("https://editor.example", None, 200),  # AllowedOrigins is * by default
        ("http://evil.example", "evil.example", 403),  # a name that was rebound to this machine
    ],
)
def test_a_page_that_claims_to_be_ours_is_refused(
    twin: Twin, origin: str | None, host: str | None, status: int
) -> None:
    sent = {"Origin": origin and origin.format(own=twin.url), "Host": host}
    headers = {
        "Authorization": f"Bearer {twin.token()}",
        "Accept": "application/json, text/event-stream",
        **{name: value for name, value in sent.items() if value},
    }
    answer = twin.http.post("/mcp", json=MESSAGE, headers=headers)

    assert answer.status_code == status
    assert status == 200 or answer.json()["code"] == "origin_not_allowed"


def test_an_agent_is_set_up_listed_picked_and_run(twin: Twin) -> None:
    talk = Talk(twin, "journeys")

    assert "At what time" in talk.says("I want our project updates from Notion every Monday")
    assert "Saved: notion-reporter" in talk.says("At 9, and mail them to me")
    assert "Saved: example-com-watch" in talk.says("create an agent that checks example.com")
    assert "2. notion-reporter" in talk.says("List my agents")
    assert "notion-reporter now runs Mondays at 8:30" in talk.says("Make the second one run at 8:30 instead")
    assert "Started notion-reporter" in talk.says("Run notion-reporter")
    assert [run["agent_name"] for run in talk.get("/v1/runs")["items"]] == ["notion-reporter"]


def test_a_choice_is_made_by_its_number(twin: Twin) -> None:
    talk = Talk(twin, "pickers")
    for name in ("notion-reporter", "notion-watcher"):
        body = {"name": name, "what": f"what the {name} finds", "sources": ["notion"]}
        twin.request("POST", "/v1/agents", token=talk.auth.token, json=body).raise_for_status()

    talk.says("Run the notion agent")
    chosen = talk.last["options"][1]
    talk.says("2")

    assert [run["agent_name"] for run in talk.get("/v1/runs")["items"]] == [chosen]


def test_a_chore_half_told_can_be_dropped(twin: Twin) -> None:
    talk = Talk(twin, "droppers")
    talk.says("I want our project updates from Notion every Monday")

    talk.says("cancel")

    assert talk.get("/v1/agents")["items"] == []


def test_tasks_are_kept_and_told_at_length(twin: Twin) -> None:
    talk = Talk(twin, "lists")
    for number in range(40):
        twin.request(
            "POST",
            "/v1/tasks",
            token=talk.auth.token,
            json={"title": f"Call the supplier number {number} about the contract"},
        ).raise_for_status()

    assert "call Anna" in talk.says("add a task to call Anna tomorrow")
    assert len(talk.says("List all my tasks")) > 1_000


def test_what_is_hard_to_undo_waits_for_a_yes(twin: Twin) -> None:
    talk = Talk(twin, "approvers")
    talk.says("create an agent that checks example.com")

    talk.says("Delete example-com-watch")
    assert talk.last["asks_yes_or_no"]
    assert len(talk.get("/v1/agents")["items"]) == 1
    talk.says("yes")
    assert talk.get("/v1/agents")["items"] == []


def test_a_conversation_goes_on_after_a_crash(twin: Twin) -> None:
    talk = Talk(twin, "crashers")
    talk.says("I want our project updates from Notion every Monday")

    twin.kill9()
    twin.restart()

    assert "Saved: notion-reporter" in talk.says("At 9, and mail them to me")


def test_a_message_repeated_under_its_key_is_stored_and_answered_once(twin: Twin) -> None:
    talk = Talk(twin, "repeaters")
    first = talk.says("add a task to call Anna", key="k-1")
    said, meta = talk.last, talk.meta
    talk.id = None

    assert talk.says("add a task to call Anna", key="k-1") == first
    assert (talk.last, REPLAYED in meta, talk.meta[REPLAYED]) == (said, False, True)
    assert len(talk.get("/v1/tasks")["items"]) == 1
    assert len(talk.get(f"/v1/conversations/{talk.id}/messages")["items"]) == 2
    code, words = talk.fails("add a task to call Noah", key="k-1")
    assert (code, "different request" in words) == ("invalid_arguments", True)


def test_what_a_message_may_not_be_is_told_to_the_model(twin: Twin) -> None:
    talk = Talk(twin, "errors")

    assert talk.fails("hello", conversation_id="0" * 32)[0] == "not_found"
    assert talk.fails("")[0] == "invalid_arguments"
    assert talk.fails(" \u200b ")[0] == "invalid_arguments"
    assert talk.fails("x" * 8_001)[0] == "invalid_arguments"
    assert talk.fails("hello", model="no-such-model")[0] == "invalid_arguments"
    long = "x" * 10_000
    wrongs: tuple[dict[str, Any], ...] = (
        {"message": 7},
        {"message": ["hello"]},
        {"conversation_id": 7},
        {"client_id": long},
        {"client_id": ""},
        {"client_id": 7},
        {"model": long},
        {"answers": long},
        {"attachments": "a-file"},
        {"attachments": [7]},
        {"hologram": "hello"},
    )
    for wrong in wrongs:
        assert talk.fails(**{"message": "hello", **wrong})[0] == "invalid_arguments", wrong
    unknowns: tuple[dict[str, Any], ...] = (
        {"conversation_id": long},
        {"answers": "made-up"},
        {"attachments": [long]},
    )
    for unknown in unknowns:
        assert talk.fails("hello", **unknown)[0] == "not_found", unknown
    assert talk.get("/v1/conversations")["items"] == []


def test_who_sends_too_much_is_told_to_wait(twin: Twin) -> None:
    admin = twin.token("senders", "root", roles=["admin"])
    limits = {"limits": {"turns_per_minute": 1, "burst": 1}}
    twin.request("PUT", "/v1/tenant/policy", token=admin, json=limits).raise_for_status()
    talk = Talk(twin, "senders")

    talk.says("What is 2 + 2?")
    code, words = talk.fails("What is 2 + 2?")

    assert (code, "faster than it may" in words) == ("try_later", True)


def test_a_conversation_is_its_users_alone(twin: Twin) -> None:
    maya = Talk(twin, "owners")
    maya.says("What is 2 + 2?")
    for stranger in (Talk(twin, "owners", "noah"), Talk(twin, "strangers")):
        assert stranger.fails("Go on", conversation_id=maya.id)[0] == "not_found"
    assert len(maya.get(f"/v1/conversations/{maya.id}/messages")["items"]) == 2


def test_the_same_client_id_of_two_users_in_two_tenants_is_four_conversations(twin: Twin) -> None:
    talks = [Talk(twin, tenant, user) for tenant in ("names", "others") for user in ("maya", "noah")]
    for each in talks:
        each.says("add a task to call Anna", conversation_id=None, client_id="main")
        begun = each.id
        each.says("add a task to call Noah", conversation_id=None, client_id="main")
        assert each.id == begun

    assert len({each.id for each in talks}) == 4
    for each in talks:
        assert len(each.get("/v1/tasks")["items"]) == 2
        [conversation] = each.get("/v1/conversations")["items"]
        assert conversation["id"] == each.id
    over_http = twin.chat("Hello", token=twin.token("names", "maya"), client_id="main").json()
    assert over_http["conversation_id"] == talks[0].id
    assert talks[0].fails("Hello", conversation_id=talks[0].id, client_id="main")[0] == "invalid_arguments"
    assert talks[0].fails("Hello", conversation_id=None, client_id="x" * 256)[0] == "invalid_arguments"


def test_a_client_that_asks_hears_how_far_its_message_is(twin: Twin) -> None:
    talk, told = Talk(twin, "waiters"), list[tuple[float, str | None]]()

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, message))

    result = connected(
        twin,
        talk.auth,
        lambda client: client.call_tool("chat", {"message": "What is 2 + 2?"}, progress_callback=hear),
    )

    assert result.structured_content is not None
    assert "4" in result.structured_content["reply"]
    assert [number for number, _ in told] == list(range(1, len(told) + 1))
    assert "understanding" in {stage for _, stage in told}


def test_progress_comes_before_the_answer_as_server_sent_events(twin: Twin) -> None:
    call = {
        "name": "chat",
        "arguments": {"message": "What is 2 + 2?"},
        "_meta": {"progressToken": "p-1"},
    }
    headers = {
        "Authorization": f"Bearer {twin.token('waiters', 'noah')}",
        "Accept": "application/json, text/event-stream",
    }
    message = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": call}
    answer = twin.http.post("/mcp", json=message, headers=headers)

    assert answer.headers["content-type"].startswith("text/event-stream")
    messages = [
        httpx.Response(200, content=line.removeprefix("data: ")).json()
        for line in answer.text.splitlines()
        if line.startswith("data: ")
    ]
    assert {each["method"] for each in messages[:-1]} == {"notifications/progress"}
    assert {each["params"]["progressToken"] for each in messages[:-1]} == {"p-1"}
    assert (messages[-1]["id"], messages[-1]["result"]["isError"]) == (7, False)
