"""Servers of somebody else's that offer tools, as values. Speaking to them is `tools.remote.mcp_client`'s and
`tools.remote.webhook`'s business, knowing which there are is not this room's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MAX_TOOL_NAME = 64
"""What all providers of models take."""
SEPARATOR = "__"
CALL_TIMEOUT_S = 20.0
MAX_RESULT_BYTES = 65_536
"""A page of somebody's wiki fits."""
_UNUSUAL = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class Remote:
    """One such server.

    ``allowed`` None: all the tools it offers. ``secret`` is sent to an MCP server as a bearer token; a
    webhook never gets it, its requests are signed with it.
    """

    name: str
    url: str
    description: str = ""
    allowed: frozenset[str] | None = None
    secret: str | None = field(default=None, repr=False)

    def tool_name(self, tool: str) -> str:
        """The name under which models know a tool of this server."""
        return f"{self.name}{SEPARATOR}{_UNUSUAL.sub('_', tool)}"[:MAX_TOOL_NAME]

    def allows(self, tool: str) -> bool:
        """Whether the tool is one that may be used."""
        return self.allowed is None or tool in self.allowed
