"""The model catalogue: names, sizes, prices and uses of all models, from one file validated on load.

`llm.available_models` decides which of them a deployment may use.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

Name = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(gt=0)]
Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]

_FILE = Path(__file__).with_name("catalogue.json")
_NEVER_NONE = (
    "vendor",
    "context_tokens",
    "max_output_tokens",
    "input_usd_per_million",
    "output_usd_per_million",
)


class Vendor(StrEnum):
    """A provider that serves models."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    BEDROCK = "bedrock"
    GEMINI = "gemini"
    GROQ = "groq"
    OLLAMA = "ollama"


class Tier(StrEnum):
    """The purpose of a model: ``fast`` for quick decisions, ``strong`` for the actual work."""

    FAST = "fast"
    STRONG = "strong"


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPrices:
    """US dollars per million tokens."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    input: Price
    output: Price
    cached: Price | None = None
    """Prompt tokens from the provider's cache; None: as other prompt tokens."""
    cache_written: Price | None = None
    """Prompt tokens written to the provider's cache; None: as other prompt tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LongPromptPrices(TokenPrices):
    """Other prices for a call whose prompt is longer than ``above_tokens``."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    above_tokens: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """One model. Vendor, sizes and prices may be None only for a model outside the catalogue."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    id: Name
    """The name that litellm expects."""
    vendor: Vendor | None
    """The provider that serves it."""
    tier: Tier
    aliases: tuple[Name, ...] = ()
    """Other names for the model."""
    context_tokens: Count | None
    """The maximum prompt length."""
    max_output_tokens: Count | None
    """The maximum answer length."""
    input_usd_per_million: Price | None
    """US dollars per million prompt tokens."""
    output_usd_per_million: Price | None
    """US dollars per million answer tokens."""
    cached_usd_per_million: Price | None = None
    """US dollars per million prompt tokens from the provider's cache; None: as other prompt tokens."""
    cache_written_usd_per_million: Price | None = None
    """US dollars per million prompt tokens written to that cache; None: as other prompt tokens."""
    long_prompt: LongPromptPrices | None = None
    """The prices of long prompts, where they differ."""
    supports_tools: bool
    supports_thinking: bool
    """Whether it accepts a thinking effort: "low", "medium" or "high"."""
    least_thinking: Name | None = None
    """The effort value for the least thinking; None when the default is the least or can't be changed."""
    supports_images: bool = False
    """Whether it reads images."""
    supports_documents: bool = False
    """Whether it reads PDFs."""
    supports_temperature: bool = True
    """Whether it accepts a temperature; OpenAI's models follow a rule of their own."""
    supports_forced_tools: bool = True
    """Whether it can be made to call a tool. One that always thinks can't."""
    retires_on: date | None = None
    """The day on which its provider retires it; None: none is known."""
    notes: str = ""
    """What the model is good for, to help choose one."""

    def retires_within(self, days: int, today: date) -> bool:
        """Whether the model is retired, or will be in so many days."""
        return self.retires_on is not None and self.retires_on <= today + timedelta(days=days)

    @property
    def names(self) -> tuple[str, ...]:
        """The id and all aliases."""
        return (self.id, *self.aliases)

    def thinking_effort(self, wanted: str | None) -> str | None:
        """Return the effort value to send for the ``wanted`` thinking; None wants as little as possible.

        A result of None means: send no effort.
        """
        return wanted if wanted and self.supports_thinking else self.least_thinking

    def cost_usd(
        self,
        prompt_tokens: int,
        completion_tokens: int,
        *,
        cached_tokens: int = 0,
        cache_written_tokens: int = 0,
    ) -> float | None:
        """Return the cost of the tokens; None when the price is unknown.

        ``prompt_tokens`` includes the other two kinds of prompt tokens.
        """
        prices = self._prices(prompt_tokens)
        if prices is None:
            return None
        cached = prices.input if prices.cached is None else prices.cached
        written = prices.input if prices.cache_written is None else prices.cache_written
        per_million = (
            (prompt_tokens - cached_tokens - cache_written_tokens) * prices.input
            + cached_tokens * cached
            + cache_written_tokens * written
            + completion_tokens * prices.output
        )
        return per_million / 1_000_000

    def _prices(self, prompt_tokens: int) -> TokenPrices | None:
        if self.long_prompt is not None and prompt_tokens > self.long_prompt.above_tokens:
            return self.long_prompt
        if self.input_usd_per_million is None or self.output_usd_per_million is None:
            return None
        return TokenPrices(
            input=self.input_usd_per_million,
            output=self.output_usd_per_million,
            cached=self.cached_usd_per_million,
            cache_written=self.cache_written_usd_per_million,
        )


class CatalogueInvalid(ValueError):
    """The catalogue is invalid. The message is one line that names the entry."""

    def __init__(self, entry: str, problem: str) -> None:
        super().__init__(f"model catalogue, {entry}: {problem}")
        self.entry = entry


class Catalogue:
    """All models, found by any of their names. Immutable."""

    def __init__(self, models: tuple[Model, ...]) -> None:
        self._models = models
        self._by_name = _by_name(models)

    @classmethod
    def load(cls, text: str | None = None) -> Catalogue:
        """Return the catalogue in a JSON text; None loads the one shipped with this package.

        Raises:
            CatalogueInvalid: for the first invalid entry.
        """
        return _shipped() if text is None else cls(tuple(_models(_entries(text))))

    @classmethod
    def extended(cls, text: str) -> Catalogue:
        """Return the shipped catalogue with the entries of a JSON text.

        An entry with the id of a shipped model replaces the fields that it has; others are added at the end.

        Raises:
            CatalogueInvalid: for the first invalid entry.
        """
        entries: dict[Any, Any] = {entry["id"]: entry for entry in _entries(_FILE.read_text("utf-8"))}
        for place, entry in enumerate(_entries(text), 1):
            if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
                raise CatalogueInvalid(f"entry {place}", "must be an object with an id")
            entries[entry["id"]] = {**entries.get(entry["id"], {}), **entry}
        return cls(tuple(_models(list(entries.values()))))

    @property
    def models(self) -> tuple[Model, ...]:
        """All models in file order. Among equals, the first is preferred."""
        return self._models

    def find(self, name: str) -> Model | None:
        """Return the model with this id or alias in constant time; None when there is none."""
        return self._by_name.get(name)


@cache
def _shipped() -> Catalogue:
    return Catalogue.load(_FILE.read_text("utf-8"))


def _entries(text: str) -> list[Any]:
    try:
        entries = json.loads(text)
    except json.JSONDecodeError as error:
        raise CatalogueInvalid("the file", f"no JSON at line {error.lineno}") from None
    if not isinstance(entries, list):
        raise CatalogueInvalid("the file", "must hold a list of models")
    return entries


def _models(entries: list[Any]) -> Iterator[Model]:
    adapter = TypeAdapter(Model)
    for place, entry in enumerate(entries, 1):
        name = entry.get("id") if isinstance(entry, dict) else None
        title = repr(name) if isinstance(name, str) and name else f"entry {place}"
        try:
            model = adapter.validate_json(json.dumps(entry), strict=True)
        except ValidationError as refused:
            error = refused.errors(include_url=False, include_input=False)[0]
            raise CatalogueInvalid(title, f"{_path(error['loc'])}{error['msg']}") from None
        for field in _NEVER_NONE:
            if getattr(model, field) is None:
                raise CatalogueInvalid(title, f"{field}: must not be null")
        yield model


def _path(location: tuple[int | str, ...]) -> str:
    return f"{'.'.join(map(str, location))}: " if location else ""


def _by_name(models: tuple[Model, ...]) -> Mapping[str, Model]:
    found: dict[str, Model] = {}
    for model in models:
        for name in model.names:
            if name in found:
                raise CatalogueInvalid(repr(model.id), f"{name!r} already names {found[name].id!r}")
            found[name] = model
    return found
