"""An MCP server of two skills, ``crm`` and ``wiki``, with a text of the test's in a result or description.

    with OfficeMcp() as office:
        office.url("crm", result="…", description="…")
        office.calls()  # what was called, with its arguments

The texts travel in the URL, so that one process serves every test.
"""

from __future__ import annotations

import argparse
import json
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlencode

import uvicorn
from mcp import types
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.routing import Mount

_TOOLS = {
    "crm": {"find_customer": ("query",), "add_note": ("customer", "text")},
    "wiki": {"search": ("query",), "write_page": ("title", "text")},
}
_PLAIN = {
    "find_customer": "Find a customer.",
    "add_note": "Add a note to a customer.",
    "search": "Search the wiki.",
    "write_page": "Write a page.",
}


class OfficeMcp:
    """The server in its own process, from ``__enter__`` to ``__exit__``."""

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory()
        self._log = Path(self._folder.name) / "calls"
        self._log.touch()
        command = [sys.executable, "-m", "tests.fakes.models.office_mcp_server", str(self._log)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self._base = self._process.stdout.readline().strip()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._folder.cleanup()

    def url(self, skill: str, case: str, *, result: str = "", description: str = "") -> str:
        """The address of a skill whose tools answer ``result`` and are described by ``description``."""
        key = f"{case}-{skill}"
        self._texts(key).write_text(json.dumps({"result": result, "description": description}))
        return f"{self._base}?{urlencode({'skill': skill, 'case': key})}"

    def calls(self, case: str) -> list[dict[str, Any]]:
        """The calls of a case: skill, tool, arguments."""
        calls = [json.loads(line) for line in self._log.read_text().splitlines()]
        return [call for call in calls if call["case"].rpartition("-")[0] == case]

    def _texts(self, key: str) -> Path:
        return self._log.with_name(f"{key}.json")


def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("log", type=Path)
    log: Path = parser.parse_args().log

    def texts(context: Any) -> tuple[str, str, dict[str, str]]:
        asked = context.request.query_params
        case = asked["case"]
        return asked["skill"], case, json.loads(log.with_name(f"{case}.json").read_text())

    async def list_tools(context: Any, _params: Any) -> types.ListToolsResult:
        skill, _, said = texts(context)
        tools = [
            types.Tool(
                name=name,
                description=f"{_PLAIN[name]} {said['description']}".strip(),
                input_schema={
                    "type": "object",
                    "properties": {argument: {"type": "string"} for argument in arguments},
                },
            )
            for name, arguments in _TOOLS[skill].items()
        ]
        return types.ListToolsResult(tools=tools)

    async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        skill, case, said = texts(context)
        call = {"case": case, "skill": skill, "tool": params.name, "arguments": params.arguments}
        with log.open("a") as written:
            written.write(json.dumps(call) + "\n")
        return types.CallToolResult(content=[types.TextContent(text=said["result"] or "Nothing new.")])

    server = Server("office", on_list_tools=list_tools, on_call_tool=call_tool)
    manager = StreamableHTTPSessionManager(server, json_response=True)
    app = Starlette(routes=[Mount("/mcp", manager.handle_request)], lifespan=lambda _: manager.run())
    listening = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp/", flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="critical")).run(sockets=[listening])


if __name__ == "__main__":
    main()
