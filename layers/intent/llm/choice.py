"""Which model understands messages when nobody said which. Talking to it is `llm.completion`'s job."""

from __future__ import annotations

from dataclasses import dataclass

from llm.catalogue import Catalogue, Tier, Vendor

_SERVERS = {"ollama_chat": Vendor.OLLAMA}
"""litellm's other names for a vendor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """Which vendors this deployment can prove itself to. Holds no secret."""

    openai: bool = False
    anthropic: bool = False
    bedrock: bool = False
    gemini: bool = False
    groq: bool = False
    ollama: bool = False
    own_server: bool = False
    """Whether OpenAI's protocol is spoken by a server of the deployment's own."""

    @property
    def vendors(self) -> frozenset[Vendor]:
        """Those it can."""
        return frozenset(vendor for vendor in Vendor if getattr(self, vendor.value))

    @property
    def open_vendors(self) -> frozenset[Vendor]:
        """Those of whom a model of any name may be asked: the server is the deployment's own."""
        return frozenset({Vendor.OPENAI, Vendor.OLLAMA} if self.own_server else {Vendor.OLLAMA})


def default_model(setting: str | None, credentials: Credentials) -> str | None:
    """The model to ask, named as litellm names it; None for the offline tier.

    ``setting`` None means nobody chose: the fast model of the first vendor with credentials. A blank
    setting chooses the offline tier.
    """
    if setting is not None:
        return setting.strip() or None
    if not credentials.vendors:
        return None
    return next(
        model.id
        for vendor in Vendor
        for model in Catalogue.load().models
        if vendor in credentials.vendors and model.vendor is vendor and model.tier is Tier.FAST
    )


def vendor_of(model: str) -> str:
    """Who serves the model: the part before the slash, or whom a bare name belongs to."""
    vendor, slash, _ = model.partition("/")
    if slash:
        return _SERVERS.get(vendor, vendor)
    return "anthropic" if model.startswith("claude") else "openai"
