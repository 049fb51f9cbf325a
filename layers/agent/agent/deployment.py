"""What a deployment sets about models and tools, as plain values for whoever puts them together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from llm.choice import Credentials
    from tools.outbound import Outbound


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """Which models are used. ``api_key`` gives the key for a vendor, as `llm.completion` wants it."""

    credentials: Credentials
    intent_model: str | None
    """None: chosen by the credentials; blank: none, and no strong one either."""
    strong_models: tuple[str, ...] | None
    """None: every strong one there are credentials for; empty: none."""
    api_key: Callable[[str], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSettings:
    """What tools need besides the table."""

    outbound: Outbound
    search_url: str
    search_key: Callable[[], str | None]
    """None from it: no web search is offered."""
