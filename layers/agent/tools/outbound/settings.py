"""What a deployment sets about tools."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.outbound.client import Outbound


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSettings:
    """What tools need besides the table."""

    outbound: Outbound
    search_url: str
    search_key: Callable[[], str | None]
    """None from it: no web search is offered."""
