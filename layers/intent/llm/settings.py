"""What a deployment sets about models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from llm.choice import Credentials


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """Which models are used. ``api_key`` gives the key for a vendor, as `llm.completion` wants it."""

    credentials: Credentials
    intent_model: str | None
    """None: chosen by the credentials; blank: none, and no strong one either."""
    strong_models: tuple[str, ...] | None
    """None: every strong one there are credentials for; empty: none."""
    api_key: Callable[[str], str | None]
