"""Tools of a real MCP server in a process of its own: used, capped, timed out, and killed in mid-call."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from pydantic import JsonValue

from conversation.clock import Deadline, SystemClock
from conversation.identity import Caller
from storage.keys import TenantId
from tests.fakes.models.mcp_server import McpProcess
from tools.errors import ToolError
from tools.outbound.client import OutboundClient
from tools.remote.mcp_client import OfferedTool, connect_tools
from tools.remote.remote_server import RemoteServer
from tools.tool import Tool, Toolbox, ToolContext, ToolResult

pytestmark = pytest.mark.slow

LOCAL = OutboundClient(allow_loopback=True)
CLOCK = SystemClock()


@pytest.fixture(scope="module")
def server() -> Iterator[McpProcess]:
    with McpProcess() as running:
        yield running


def notes(server: McpProcess, **fields: object) -> RemoteServer:
    values: dict[str, object] = {"name": "notes", "url": server.url, **fields}
    return RemoteServer(**values)  # type: ignore[arg-type]


def usable(offered: tuple[OfferedTool, ...]) -> list[Tool]:
    return [tool.tool for tool in offered if tool.tool is not None]


def call(
    offered: tuple[OfferedTool, ...], name: str, seconds: float = 10.0, **arguments: JsonValue
) -> ToolResult:
    deadline = Deadline.after(CLOCK, seconds)
    context = ToolContext(Caller(TenantId("acme"), "maya"), CLOCK.now(), "UTC", "turn.0", deadline)
    (tool,) = (tool for tool in Toolbox(usable(offered)).tools if tool.name == f"notes__{name}")
    return tool.call(arguments, context)


@pytest.mark.parametrize("options", [(), ("--sse",), ("--legacy",), ("--legacy", "--sse")])
def test_a_tool_is_called_under_the_skills_name_with_its_secret(options: tuple[str, ...]) -> None:
    with (
        McpProcess(*options) as server,
        connect_tools(notes(server, secret="s3cret"), LOCAL) as tools,
    ):
        assert call(tools, "pages", topic="Q1").data == "Two pages about Q1: Plan, Budget"
        assert call(tools, "whoami").data == "Bearer s3cret"


def test_a_session_is_kept_between_calls_and_ended_with_the_connection() -> None:
    with McpProcess("--legacy") as server:
        for _ in range(2):
            with connect_tools(notes(server), LOCAL) as tools:
                assert [call(tools, "sessions").data for _ in range(2)] == ["1", "1"]


def test_only_allowed_tools_with_sound_schemas_are_offered(server: McpProcess) -> None:
    with connect_tools(notes(server, allowed_tools=frozenset({"pages", "odd"})), LOCAL) as tools:
        assert [tool.name for tool in usable(tools)] == ["notes__pages"]


def test_a_server_that_misbehaves_is_an_error_for_the_model_and_stays_usable(server: McpProcess) -> None:
    with connect_tools(notes(server), LOCAL, timeout_s=4.0) as tools:
        codes = {name: call(tools, name).error_code for name in ("huge", "liar", "broken", "hang")}
        assert codes == {
            "huge": "too_large",
            "liar": "result_invalid",
            "broken": "failed",
            "hang": "timeout",
        }
        assert call(tools, "pages", topic="again").ok


def test_a_call_ends_with_its_context(server: McpProcess) -> None:
    with connect_tools(notes(server), LOCAL) as tools:
        result = call(tools, "hang", 0.3)

    assert result.error_code == "timeout"
    assert result.elapsed_ms < 20_000


def test_a_server_killed_in_mid_call_is_out_of_reach() -> None:
    with McpProcess() as server, connect_tools(notes(server), LOCAL) as tools:
        assert call(tools, "die").error_code == "unreachable"
        assert call(tools, "pages", topic="x").error_code == "unreachable"


def test_a_server_that_is_not_there_can_not_be_connected() -> None:
    with McpProcess() as server:
        gone = notes(server)
    with pytest.raises(ToolError) as refused, connect_tools(gone, LOCAL):
        pass

    assert refused.value.code == "unreachable"


def test_outside_the_twin_nothing_on_this_machine_is_connected_to(server: McpProcess) -> None:
    with (
        pytest.raises(ToolError) as refused,
        connect_tools(notes(server), OutboundClient(allow_loopback=False)),
    ):
        pass

    assert refused.value.code in {"url_blocked", "scheme_blocked"}


def test_nothing_a_server_says_is_logged(server: McpProcess, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with connect_tools(notes(server, secret="s3cret"), LOCAL) as tools:
        call(tools, "pages", topic="salaries")
        call(tools, "liar")

    assert not any(word in caplog.text for word in ("salaries", "s3cret", "seven"))
