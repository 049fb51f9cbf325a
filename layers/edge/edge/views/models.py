"""The models a caller can name, as clients see them."""

from __future__ import annotations

from pydantic import Field

from edge.views.base import View
from llm.catalogue import Model, Tier, Vendor
from llm.registry import ModelRegistry


class ModelView(View):
    """A model that can be used here."""

    id: str = Field(description="What `model` of a message may say.")
    aliases: tuple[str, ...] = Field(description="Other names that mean the same.")
    vendor: Vendor | None = Field(description="Who serves it; null: somebody outside the catalogue.")
    tier: Tier = Field(description="`fast` ones understand messages, `strong` ones answer questions.")
    context_tokens: int | None = Field(description="The longest prompt; null: not known.")
    max_output_tokens: int | None = Field(description="The longest answer; null: not known.")
    input_usd_per_million: float | None = Field(
        description="For a million tokens of prompts; null: not known."
    )
    output_usd_per_million: float | None = Field(
        description="For a million tokens of answers; null: not known."
    )
    supports_tools: bool
    supports_thinking: bool = Field(description="Whether it thinks harder about hard questions.")
    notes: str = Field(description="What it is good for.")
    understands_by_default: bool = Field(
        description="Whether messages are understood by it unless they name one."
    )
    answers_by_default: bool = Field(description="Whether it is among those that questions are routed to.")


def model_views(registry: ModelRegistry, allowed: frozenset[str] | None) -> tuple[ModelView, ...]:
    """Every model that a caller may name under a policy that allows these, in order of preference."""
    intent_model, strong_models = registry.find_intent_model(allowed), registry.find_strong_models(allowed)
    return tuple(
        _view(model, understands=model is intent_model, answers=model in strong_models)
        for model in registry.find_models(allowed)
    )


def _view(model: Model, *, understands: bool, answers: bool) -> ModelView:
    return ModelView(
        id=model.id,
        aliases=model.aliases,
        vendor=model.vendor,
        tier=model.tier,
        context_tokens=model.context_tokens,
        max_output_tokens=model.max_output_tokens,
        input_usd_per_million=model.input_usd_per_million,
        output_usd_per_million=model.output_usd_per_million,
        supports_tools=model.supports_tools,
        supports_thinking=model.supports_thinking,
        notes=model.notes,
        understands_by_default=understands,
        answers_by_default=answers,
    )
