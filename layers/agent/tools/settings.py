"""The deployment's settings for tools."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.outbound.client import OutboundClient


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSettings:
    """The settings tools need, besides the table."""

    outbound: OutboundClient
    search_url: str
    search_key: Callable[[], str | None]
    """Returns the key of the web search; when it returns None, no web search is offered."""
