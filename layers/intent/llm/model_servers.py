"""Where the vendors' servers are. `llm.adapters.registry` makes the adapters that speak to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelServers:
    """The addresses of a deployment's model servers; None means the vendor's own. Holds no secrets."""

    openai_url: str | None = None
    openai_headers: Mapping[str, str] = field(default_factory=dict)
    """Names the organisation and the project that OpenAI bills, if they are set."""
    anthropic_url: str | None = None
    bedrock_url: str | None = None
    aws_region: str | None = None
    is_behind_proxy: bool = False
    """Whether the environment names a proxy. Only litellm goes through one."""
