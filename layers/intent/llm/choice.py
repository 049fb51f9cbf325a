"""Which model understands messages when nobody said which. Talking to it is `llm.completion`'s job."""

from __future__ import annotations

from dataclasses import dataclass

_FAST_OPENAI = "gpt-4o-mini"
_FAST_ANTHROPIC = "anthropic/claude-haiku-4-5"
_FAST_BEDROCK = "bedrock/global.anthropic.claude-haiku-4-5-20251001-v1:0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """Which vendors this deployment can prove itself to. Holds no secret."""

    openai: bool = False
    anthropic: bool = False
    bedrock: bool = False


def default_model(setting: str | None, credentials: Credentials) -> str | None:
    """The model to ask, named as litellm names it; None for the offline tier.

    ``setting`` None means nobody chose: the fast model of the first vendor with credentials. A blank
    setting chooses the offline tier.
    """
    if setting is not None:
        return setting.strip() or None
    if credentials.openai:
        return _FAST_OPENAI
    if credentials.anthropic:
        return _FAST_ANTHROPIC
    return _FAST_BEDROCK if credentials.bedrock else None


def vendor_of(model: str) -> str:
    """Who serves the model: the part before the slash, or whom a bare name belongs to."""
    vendor, slash, _ = model.partition("/")
    if slash:
        return vendor
    return "anthropic" if model.startswith("claude") else "openai"
