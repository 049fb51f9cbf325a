"""What an MCP client posts and gets. `tools.remote.mcp_server` answers it, with the MCP SDK."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from pydantic import JsonValue

IDEMPOTENCY_KEY = "omniforge/idempotency-key"
"""The field of a call's ``_meta`` with its key: a call repeated under its key makes nothing twice."""


@dataclass(frozen=True, slots=True)
class McpRequest:
    """A POST request to the endpoint; header names in any case."""

    headers: Mapping[str, str]
    body: bytes

    def accepts(self, media_type: str) -> bool:
        """Whether the client names the type among those it takes."""
        sent = {name.lower(): value for name, value in self.headers.items()}
        return media_type in sent.get("accept", "")

    def call(self) -> PostedCall | None:
        """The tool call in it; None: it is another message. The body has to be a JSON object."""
        said = json.loads(self.body)
        parameters = said.get("params")
        if said.get("method") != "tools/call" or not isinstance(parameters, dict):
            return None
        meta = parameters.get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        is_token = isinstance(token, str | int) and not isinstance(token, bool)
        return PostedCall(said.get("id"), parameters.get("name"), token if is_token else None)


class PostedCall(NamedTuple):
    """A tool call as a client sent it, not checked yet."""

    id: JsonValue
    tool: JsonValue
    progress_token: str | int | None
    """Names the call in notifications of its progress; None: the client wants none."""


@dataclass(slots=True)
class McpResponse:
    """The response; header names in lower case."""

    status: int = 500
    headers: dict[str, str] = field(default_factory=dict)
    body: str = ""


def told_to(send: Callable[[str], None], token: str | int) -> Callable[[str], None]:
    """Returns what tells a client how far its call is: it sends each stage as a notification."""
    numbers = count(1)

    def tell(stage: str) -> None:
        progress = {"progressToken": token, "progress": next(numbers), "message": stage}
        send(json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": progress}))

    return tell
