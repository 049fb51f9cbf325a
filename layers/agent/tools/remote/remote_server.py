"""Descriptions of remote servers that offer tools.

`tools.remote.mcp_client` and `tools.remote.webhook` call them. Which servers exist is known to
`agent.workspace.skill_store`.
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, field

from tools.tool import ToolAccess

MAX_TOOLS = 50
"""The most tools of one server that a model gets to see."""
MAX_TOOL_NAME = 64
"""The longest name that all model providers accept."""
SEPARATOR = "__"
CALL_TIMEOUT_S = 20.0
MAX_RESULT_BYTES = 65_536
"""Enough for a page of a wiki."""
_UNUSUAL = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class RemoteServer:
    """A remote server that offers tools.

    ``allowed`` None: all the tools it offers. ``secret`` is sent to an MCP server as a bearer token. A
    webhook never receives it; its requests are signed with it.
    """

    name: str
    url: str
    description: str = ""
    allowed_tools: frozenset[str] | None = None
    secret: str | None = field(default=None, repr=False)

    @property
    def access(self) -> ToolAccess:
        """What the tools of this server are taken to read and do."""
        return ToolAccess.of_skill(self.name, destination=self.url)

    def tool_name(self, tool: str) -> str:
        """Returns the name under which models see a tool of this server."""
        return f"{self.name}{SEPARATOR}{plain_name(tool)}"[:MAX_TOOL_NAME]

    def allows(self, tool: str) -> bool:
        """Whether the tool may be used."""
        return self.allowed_tools is None or tool in self.allowed_tools


def plain_name(tool: str) -> str:
    """Returns a tool's name with an underscore for each character that model providers refuse, cut."""
    return _UNUSUAL.sub("_", tool)[:MAX_TOOL_NAME]


_LOUD = ("mcp", "client", "httpx2", "httpcore2")


def silence_sdk_logs() -> None:
    """Keeps the content of requests and responses out of our logs."""
    for name in _LOUD:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
