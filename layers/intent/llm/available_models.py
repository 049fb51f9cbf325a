"""The models available to a deployment: those with credentials, filtered by the tenant's policy.

`llm.catalogue` lists all models; `llm.completion` calls them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property
from typing import NamedTuple

from llm.catalogue import Catalogue, Model, Tier, Vendor

_SERVERS = {"ollama_chat": Vendor.OLLAMA}
"""Litellm's alternative vendor prefixes."""
_OWN_SERVER = "openai"
"""The vendor prefix of names that an own server gets without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """The vendors this deployment has credentials for. Holds no secrets."""

    openai: bool = False
    anthropic: bool = False
    bedrock: bool = False
    gemini: bool = False
    groq: bool = False
    ollama: bool = False
    bedrock_models: tuple[str, ...] | None = None
    """The ids of Bedrock's models that may be asked, ``*`` standing for any text; None: all."""
    own_server: bool = False
    """Whether the deployment runs its own server that speaks OpenAI's protocol."""

    @property
    def vendors(self) -> frozenset[Vendor]:
        """The vendors with credentials."""
        return frozenset(vendor for vendor in Vendor if getattr(self, vendor.value))

    def grants(self, model: Model) -> bool:
        """Whether there are credentials for the model, as far as they are bound to single models."""
        if model.vendor is not Vendor.BEDROCK or self.bedrock_models is None:
            return True
        name = model.id.removeprefix("bedrock/")
        return any(fnmatchcase(name, granted) for granted in self.bedrock_models)

    @property
    def open_vendors(self) -> frozenset[Vendor]:
        """The vendors that accept any model name, because the server is the deployment's own."""
        return frozenset({Vendor.OPENAI, Vendor.OLLAMA} if self.own_server else {Vendor.OLLAMA})


def default_model(
    setting: str | None, credentials: Credentials, catalogue: Catalogue | None = None
) -> str | None:
    """Return the litellm name of the model to use; None for the offline tier.

    Without a ``setting`` (None), it is the first fast model there are credentials for. A blank setting
    selects the offline tier, as does a grant of Bedrock's models without a fast one. ``catalogue`` None means
    the shipped one.
    """
    if setting is not None:
        return setting.strip() or None
    if not credentials.vendors:
        return None
    fast = (
        model.id
        for vendor in Vendor
        for model in (catalogue or Catalogue.load()).models
        if vendor in credentials.vendors and model.vendor is vendor and model.tier is Tier.FAST
        if credentials.grants(model)
    )
    return next(fast, None)


def vendor_of(model: str) -> str:
    """Return the model's vendor: the part before the slash, or the vendor a bare name belongs to."""
    vendor, slash, _ = model.partition("/")
    if slash:
        return _SERVERS.get(vendor, vendor)
    return "anthropic" if model.startswith("claude") else "openai"


_VENDORS = {vendor.value: vendor for vendor in Vendor}


class _Available(NamedTuple):
    models: tuple[Model, ...]
    strong: tuple[Model, ...]
    by_name: Mapping[str, Model]


class ModelRegistry:
    """The models of one deployment. Immutable; shared by all turns of a process.

    ``catalogue`` None means the shipped one, read on first use because most turns don't need it. ``vendors``
    are the vendors with credentials. ``open_vendors`` are those of them whose server is the deployment's own
    and accepts any model name. ``intent_model`` is preferred among its vendor's fast models.
    ``strong_models`` lists the strong models by id or alias; None means all that are known to be available.
    Both may name models outside the catalogue. ``is_granted`` says which listed models there are credentials
    for, among those of their vendors. The methods' ``allowed`` is the list of a tenant's policy, by
    id or alias; None allows everything.
    """

    def __init__(
        self,
        catalogue: Catalogue | None = None,
        *,
        vendors: frozenset[Vendor],
        open_vendors: frozenset[Vendor] = frozenset(),
        intent_model: str | None = None,
        strong_models: tuple[str, ...] | None = None,
        is_granted: Callable[[Model], bool] = lambda _model: True,
    ) -> None:
        self._is_granted = is_granted
        self._own_catalogue = catalogue
        self._vendors = vendors
        self._open = open_vendors & vendors
        self._intent_model = intent_model
        self._strong_models = strong_models

    def find_models(self, allowed: frozenset[str] | None = None) -> tuple[Model, ...]:
        """Return every available model, in order of preference."""
        return tuple(model for model in self._available.models if _is_allowed(model, allowed))

    def find(self, name: str, allowed: frozenset[str] | None = None) -> Model | None:
        """Return the available model with this id or alias in constant time, else None."""
        model = self._available.by_name.get(name) or self._served_here(name)
        return model if model is not None and _is_allowed(model, allowed) else None

    def knows(self, name: str) -> bool:
        """Return whether the catalogue or this deployment has a model with this name."""
        return self._catalogue.find(name) is not None or self.find(name) is not None

    def find_intent_model(self, allowed: frozenset[str] | None = None) -> Model | None:
        """Return the model that interprets messages when the request names no model."""
        return self.find(self._intent_model, allowed) if self._intent_model else None

    def find_fast_model(self, vendor: Vendor | None, allowed: frozenset[str] | None = None) -> Model | None:
        """Return the vendor's first available fast model."""
        fast = self.find_fast_models(allowed)
        return next((model for model in fast if model.vendor is vendor), None)

    def find_fast_models(self, allowed: frozenset[str] | None = None) -> tuple[Model, ...]:
        """Return the available fast models, in order of preference."""
        return tuple(model for model in self.find_models(allowed) if model.tier is Tier.FAST)

    def find_strong_models(self, allowed: frozenset[str] | None = None) -> tuple[Model, ...]:
        """Return the available strong models, in order of preference."""
        return tuple(model for model in self._available.strong if _is_allowed(model, allowed))

    @cached_property
    def _catalogue(self) -> Catalogue:
        return self._own_catalogue or Catalogue.load()

    @cached_property
    def _available(self) -> _Available:
        own = self._chosen(self._intent_model, Tier.FAST) if self._intent_model else None
        # An own server with a configured model outside the catalogue: its other models are unknown.
        closed = {own.vendor} & self._open if own and self._catalogue.find(own.id) is None else frozenset()
        listed = [
            self._as_served(model)
            for model in self._catalogue.models
            if model.vendor in self._vendors - closed and self._is_granted(model)
        ]
        if self._strong_models is not None:
            strong = [self._chosen(name, Tier.STRONG) for name in self._strong_models]
        else:
            strong = [own] if own and closed else []
            strong += [model for model in listed if model.tier is Tier.STRONG]
        models = tuple(dict.fromkeys((*([own] if own else ()), *strong, *listed)))
        by_name = {name: model for model in models for name in model.names}
        return _Available(models, tuple(dict.fromkeys(strong)), by_name)

    def _chosen(self, name: str, tier: Tier) -> Model:
        listed = self._catalogue.find(name)
        return self._as_served(listed) if listed is not None else self._outside(name, tier)

    def _as_served(self, model: Model) -> Model:
        """Other servers that speak OpenAI's protocol don't support a thinking effort."""
        if model.vendor is not Vendor.OPENAI or model.vendor not in self._open:
            return model
        return replace(model, supports_thinking=False, least_thinking=None)

    def _served_here(self, name: str) -> Model | None:
        model = self._outside(name, Tier.FAST)
        return model if model.vendor in self._open else None

    def _outside(self, name: str, tier: Tier) -> Model:
        """A model outside the catalogue. Its name says the vendor; any other name is the own server's."""
        vendor = _VENDORS.get(vendor_of(name))
        is_own = Vendor.OPENAI in self._open and vendor is not Vendor.OPENAI and vendor not in self._vendors
        return _outside(f"{_OWN_SERVER}/{name}", tier, alias=name) if is_own else _outside(name, tier)


def build_registry(
    credentials: Credentials,
    *,
    intent_model: str | None,
    strong_models: tuple[str, ...] | None,
    catalogue: Catalogue | None = None,
) -> ModelRegistry:
    """Return a deployment's registry. ``intent_model`` None is the offline tier: no model is used at all."""
    vendors = credentials.vendors if intent_model is not None else frozenset[Vendor]()
    return ModelRegistry(
        catalogue,
        vendors=vendors,
        open_vendors=credentials.open_vendors,
        intent_model=intent_model,
        strong_models=strong_models if intent_model is not None else (),
        is_granted=credentials.grants,
    )


def _outside(name: str, tier: Tier, *, alias: str | None = None) -> Model:
    """A model outside the catalogue. Assumes tools, which nearly every server supports, but not thinking."""
    # With its older prefix for Ollama, litellm supports no tools.
    model_id = re.sub(r"^ollama/", "ollama_chat/", name)
    return Model(
        id=model_id,
        aliases=(alias,) if alias else (name,) if model_id != name else (),
        vendor=_VENDORS.get(vendor_of(name)),
        tier=tier,
        context_tokens=None,
        max_output_tokens=None,
        input_usd_per_million=None,
        output_usd_per_million=None,
        supports_tools=True,
        supports_thinking=False,
    )


def _is_allowed(model: Model, allowed: frozenset[str] | None) -> bool:
    return allowed is None or not allowed.isdisjoint(model.names)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """The model configuration. ``api_key`` returns the key for a vendor, as `llm.completion` expects it."""

    credentials: Credentials
    intent_model: str | None
    """None: chosen by the credentials. Blank: no model, and no strong models either."""
    strong_models: tuple[str, ...] | None
    """None: every strong model with credentials. Empty: none."""
    api_key: Callable[[str], str | None]
    servers: ModelServers = field(default_factory=ModelServers)
    catalogue: Catalogue | None = None
    """None: the shipped one."""
