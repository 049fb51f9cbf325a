"""The tools over MCP, spoken to by the official client: the same tasks as over REST, and nobody else's."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, TypeVar

import anyio
import httpx2
import pytest
from mcp import Client, MCPError, types
from mcp.client.streamable_http import streamable_http_client

from tests.fakes.deployment.twin import Twin

pytestmark = pytest.mark.e2e

Told = TypeVar("Told")
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("twin"), environ={"OMNIFORGE_INTENT_MODEL": ""}) as running:
        yield running


def connected(
    twin: Twin, token: str, use: Callable[[Client], Awaitable[Told]], *, mode: str = "auto"
) -> Told:
    async def session() -> Told:
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx2.AsyncClient(headers=headers, trust_env=False, timeout=60) as http:
            streams = streamable_http_client(f"{twin.url}/mcp", http_client=http)
            async with Client(streams, mode=mode, read_timeout_seconds=60) as client:
                return await use(client)

    return anyio.run(session)


def call(twin: Twin, token: str, tool: str, **arguments: Any) -> types.CallToolResult:
    return connected(twin, token, lambda client: client.call_tool(tool, arguments))


def text_of(result: types.CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, types.TextContent)
    return block.text


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_clients_with_and_without_a_handshake_see_the_tools(twin: Twin, mode: str) -> None:
    async def names(client: Client) -> set[str]:
        assert client.server_info is not None
        assert client.server_info.name == "omniforge"
        return {tool.name for tool in (await client.list_tools()).tools}

    token = twin.token("acme", "maya")
    assert {"calculator", "create_task", "list_tasks", "list_agents"} <= connected(
        twin, token, names, mode=mode
    )


def test_a_tool_answers_as_text_and_as_an_object(twin: Twin) -> None:
    result = call(twin, twin.token("acme", "maya"), "calculator", expression="factorial(5) * 8")

    assert not result.is_error
    assert "960" in text_of(result)
    assert result.structured_content == json.loads(text_of(result))


def test_a_task_made_over_rest_is_seen_by_its_owner_alone(twin: Twin) -> None:
    maya, noah = twin.token("initech", "maya"), twin.token("initech", "noah")
    made = twin.http.post(
        "/v1/tasks", json={"title": "Buy groceries"}, headers={"Authorization": f"Bearer {maya}"}
    )
    assert made.status_code == 201

    assert "Buy groceries" in text_of(call(twin, maya, "list_tasks"))
    assert "Buy groceries" not in text_of(call(twin, noah, "list_tasks"))
    assert "Buy groceries" not in text_of(call(twin, twin.token("globex", "maya"), "list_tasks"))


def test_a_task_made_over_mcp_is_seen_over_rest(twin: Twin) -> None:
    token = twin.token("hooli", "maya")
    call(twin, token, "create_task", title="Water the plants")

    listed = twin.http.get("/v1/tasks", headers={"Authorization": f"Bearer {token}"}).json()
    assert [task["title"] for task in listed["items"]] == ["Water the plants"]


def test_another_users_task_can_neither_be_read_nor_named_by_its_owner(twin: Twin) -> None:
    maya, noah = twin.token("umbrella", "maya"), twin.token("umbrella", "noah")
    made = call(twin, maya, "create_task", title="Secret plan").structured_content
    assert made is not None

    foreign = call(twin, noah, "get_task", task_id=made["id"])
    impersonated = call(twin, noah, "list_tasks", user="maya", tenant="umbrella")

    assert foreign.is_error
    assert "Secret plan" not in text_of(foreign)
    assert "Secret plan" not in text_of(impersonated)


def test_wrong_arguments_are_told_to_the_model(twin: Twin) -> None:
    result = call(twin, twin.token("acme", "maya"), "create_task", title=7)

    assert result.is_error
    assert "title" in text_of(result)


def test_an_unknown_tool_is_an_error_of_the_protocol(twin: Twin) -> None:
    with pytest.raises(ExceptionGroup) as raised:
        call(twin, twin.token("acme", "maya"), "launch_rockets")

    assert raised.group_contains(MCPError, match="no tool")


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_there_is_no_stream_and_no_session_to_end(twin: Twin, method: str) -> None:
    headers = {"Authorization": f"Bearer {twin.token('acme', 'maya')}", "Accept": "text/event-stream"}
    answer = twin.http.request(method, "/mcp", headers=headers)

    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"


def test_nobody_gets_in_without_a_token(twin: Twin) -> None:
    assert twin.http.post("/mcp", json=CALL).status_code == 401


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("", 400),
        ("{", 400),
        ("[]", 400),
        ('{"jsonrpc": "2.0"}', 400),
        ('{"jsonrpc": "2.0", "id": 1, "method": "no/such"}', 200),
        ("[" * 100_000, 400),
    ],
)
def test_what_is_no_message_is_refused(twin: Twin, body: str, status: int) -> None:
    headers = {
        "Authorization": f"Bearer {twin.token('acme', 'maya')}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }
    answer = twin.http.post("/mcp", content=body, headers=headers)

    assert answer.status_code == status
    assert "error" in answer.json() or "code" in answer.json()


def test_every_task_is_reached_page_by_page(twin: Twin) -> None:
    token = twin.token("pagers", "maya")
    headers = {"Authorization": f"Bearer {token}"}
    titles = [f"Call number {number}" for number in range(53)]
    for title in titles:
        assert twin.http.post("/v1/tasks", json={"title": title}, headers=headers).status_code == 201

    first = call(twin, token, "list_tasks").structured_content
    assert first is not None
    second = call(twin, token, "list_tasks", after=first["next"]).structured_content
    assert second is not None

    assert (first["more"], second["more"], second["next"]) == (True, False, None)
    assert [task["title"] for page in (first, second) for task in page["tasks"]] == titles


def test_a_page_of_tasks_begins_at_a_task_and_nowhere_else(twin: Twin) -> None:
    result = call(twin, twin.token("acme", "maya"), "list_tasks", after="T#acme#U#noah")

    assert result.is_error
    assert text_of(result) == "There is no page after this: give the `next` of the page before."


def said(twin: Twin, token: str, message: str) -> Any:
    answer = twin.http.post(
        "/v1/chat", json={"message": message}, headers={"Authorization": f"Bearer {token}"}
    )
    return answer.json()


def test_conversations_and_agents_are_offered_as_resources_to_their_owner_alone(twin: Twin) -> None:
    maya, noah = twin.token("shelf", "maya"), twin.token("shelf", "noah")
    conversation = said(twin, maya, "What is 12 * 12?")["conversation_id"]
    agent = twin.http.post(
        "/v1/agents",
        json={"name": "numbers", "what": "the number of the day", "instructions": "Work out 5! * 8."},
        headers={"Authorization": f"Bearer {maya}"},
    ).json()["id"]
    uris = [f"omniforge://agents/{agent}", f"omniforge://conversations/{conversation}"]

    async def shelf(client: Client) -> tuple[list[str], list[str]]:
        listed = [resource.uri for resource in (await client.list_resources()).resources]
        texts = [(await client.read_resource(uri)).contents[0] for uri in listed]
        return listed, [part.text for part in texts if isinstance(part, types.TextResourceContents)]

    listed, (agent_text, talk) = connected(twin, maya, shelf)

    assert listed == uris
    assert "Work out 5! * 8." in agent_text
    assert "What is 12 * 12?" in talk
    assert "144" in talk
    assert connected(twin, noah, shelf) == ([], [])
    for uri in (*uris, "omniforge://secrets/1", "file:///etc/passwd"):
        with pytest.raises(ExceptionGroup) as raised:
            connected(twin, noah, lambda client, uri=uri: client.read_resource(uri))  # type: ignore[misc]
        assert raised.group_contains(MCPError, match=r"There is no such resource\.")


def test_more_conversations_than_a_page_holds_are_listed_on_the_next(twin: Twin) -> None:
    token = twin.token("shelves", "maya")
    made = {said(twin, token, f"What is {number} + 1?")["conversation_id"] for number in range(51)}

    async def all_of_them(client: Client) -> list[str]:
        page = await client.list_resources()
        following = await client.list_resources(cursor=page.next_cursor)
        assert following.next_cursor is None
        return [resource.uri for resource in (*page.resources, *following.resources)]

    uris = connected(twin, token, all_of_them)

    assert len(uris) == 51
    assert {uri.rpartition("/")[2] for uri in uris} == made
    with pytest.raises(ExceptionGroup) as raised:
        connected(twin, token, lambda client: client.list_resources(cursor="nonsense"))
    assert raised.group_contains(MCPError, match="cursor")


def test_prompts_are_offered_and_filled_in(twin: Twin) -> None:
    async def filled(client: Client) -> tuple[dict[str, list[str]], str]:
        prompts = (await client.list_prompts()).prompts
        got = await client.get_prompt("set_up_agent", {"chore": "sort my mail every morning"})
        (message,) = got.messages
        assert isinstance(message.content, types.TextContent)
        return {prompt.name: [one.name for one in prompt.arguments or ()] for prompt in prompts}, (
            message.content.text
        )

    token = twin.token("acme", "maya")
    offered, text = connected(twin, token, filled)

    assert offered == {
        "set_up_agent": ["chore"],
        "plan_my_day": [],
        "run_agent": ["agent"],
        "catch_up": ["conversation"],
    }
    assert "sort my mail every morning" in text
    for name in ("set_up_agent", "no_such"):
        with pytest.raises(ExceptionGroup) as raised:
            connected(twin, token, lambda client, name=name: client.get_prompt(name, {}))  # type: ignore[misc]
        assert raised.group_contains(MCPError)
