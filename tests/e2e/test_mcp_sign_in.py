"""The official MCP client signs in by itself: it finds the twin's provider, registers, and gets a token."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, urljoin, urlsplit

import anyio
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

CALLBACK = "http://127.0.0.1:3939/callback"
MESSAGE = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
METADATA = "/.well-known/oauth-protected-resource"


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
        assert sent.headers["location"].startswith(CALLBACK)
        self.result = dict(parse_qsl(urlsplit(sent.headers["location"]).query))

    async def returns(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult(
            **{k: v for k, v in self.result.items() if k in {"code", "state", "iss"}}
        )


def tools_seen_by(twin: Twin, browser: Browser, memory: Memory) -> set[str]:
    async def session() -> set[str]:
        metadata = OAuthClientMetadata(redirect_uris=[CALLBACK], client_name="Maya's <editor>")
        signing_in = OAuthClientProvider(f"{twin.url}/mcp", metadata, memory, browser.opens, browser.returns)
        async with (
            httpx2.AsyncClient(auth=signing_in, trust_env=False, timeout=60) as http,
            Client(streamable_http_client(f"{twin.url}/mcp", http_client=http)) as client,
        ):
            return {tool.name for tool in (await client.list_tools()).tools}

    return anyio.run(session)


def test_the_client_signs_in_with_no_token_given(twin: Twin) -> None:
    browser, memory = Browser(), Memory()

    assert "create_task" in tools_seen_by(twin, browser, memory)
    assert memory.tokens is not None
    assert memory.client is not None
    assert "Maya&#x27;s &lt;editor&gt;" in browser.form
    headers = {"Authorization": f"Bearer {memory.tokens.access_token}"}
    assert twin.http.get("/v1/tasks", headers=headers).status_code == 200
