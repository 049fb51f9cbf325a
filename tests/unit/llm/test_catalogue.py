"""The catalogue: what is in it agrees with the prices litellm ships, and a wrong one is refused by name."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from agent.inference.model_access import RETIREMENT_NOTICE_DAYS
from llm.catalogue import Catalogue, CatalogueInvalid, Model, Tier, Vendor
from tests.fakes.run.bad_inputs import row
from training import model_catalogue

MODELS = Catalogue.load().models
ENTRY = {
    "id": "gpt-x",
    "vendor": "openai",
    "tier": "fast",
    "aliases": ["openai/gpt-x"],
    "context_tokens": 1000,
    "max_output_tokens": 100,
    "input_usd_per_million": 0.1,
    "output_usd_per_million": 1,
    "supports_tools": True,
    "supports_thinking": False,
}


def entry(**changed: object) -> dict[str, object]:
    return {**ENTRY, **changed}


def refusal(*entries: object) -> str:
    with pytest.raises(CatalogueInvalid) as caught:
        Catalogue.load(json.dumps(entries))
    return str(caught.value)


@pytest.fixture(scope="module")
def price_map() -> dict[str, dict[str, Any]]:
    """What the pinned litellm ships, read as a file: importing it takes seconds."""
    package = find_spec("litellm")
    assert package is not None
    assert package.submodule_search_locations
    (folder,) = map(Path, package.submodule_search_locations)
    prices: dict[str, dict[str, Any]] = json.loads(
        (folder / "model_prices_and_context_window_backup.json").read_text("utf-8")
    )
    return prices


def priced_as(model: Model) -> str:
    """The key of the price map, which names a vendor only where others serve models of the same name."""
    rest = model.id.partition("/")[2]
    match model.vendor:
        case Vendor.ANTHROPIC | Vendor.BEDROCK:
            return rest
        case Vendor.OLLAMA:
            return f"ollama/{rest}"
        case _:
            return model.id


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.id)
def test_prices_and_sizes_agree_with_litellm(model: Model, price_map: dict[str, dict[str, Any]]) -> None:
    priced = price_map[priced_as(model)]
    assert priced["mode"] == "chat"
    assert model.cost_usd(1_000, 0) == pytest.approx(priced["input_cost_per_token"] * 1e3)
    assert model.cost_usd(0, 1_000) == pytest.approx(priced["output_cost_per_token"] * 1e3)
    assert model.context_tokens == priced["max_input_tokens"]
    assert model.max_output_tokens == priced["max_output_tokens"]
    assert model.supports_tools == priced.get("supports_function_calling", False)
    assert priced.get("supports_reasoning", False) or not model.supports_thinking


CACHED = [model for model in MODELS if model.vendor in (Vendor.OPENAI, Vendor.ANTHROPIC, Vendor.BEDROCK)]


@pytest.mark.parametrize("model", CACHED, ids=lambda model: model.id)
def test_cached_and_long_prompts_cost_what_litellm_says(
    model: Model, price_map: dict[str, dict[str, Any]]
) -> None:
    priced = price_map[priced_as(model)]
    long = {
        name: name.rpartition("_above_")[2]
        for name in priced
        if name.startswith("input_cost_per_token_above_")
    }
    tiers = {size.removesuffix("k_tokens") for size in long.values() if size.endswith("k_tokens")}
    assert tiers == ({str(model.long_prompt.above_tokens // 1000)} if model.long_prompt else set())
    for suffix, size in [("", 1_000), *((f"_above_{tier}k_tokens", int(tier) * 1_000 + 1) for tier in tiers)]:
        prompt = priced[f"input_cost_per_token{suffix}"]
        cached = priced.get(f"cache_read_input_token_cost{suffix}", prompt)
        written = priced.get(f"cache_creation_input_token_cost{suffix}", prompt)
        cost = model.cost_usd(size, 50, cached_tokens=200, cache_written_tokens=100)
        expected = (size - 300) * prompt + 200 * cached + 100 * written
        assert cost == pytest.approx(expected + 50 * priced[f"output_cost_per_token{suffix}"])


@pytest.mark.parametrize("vendor", Vendor)
def test_every_vendor_has_a_fast_and_a_strong_model(vendor: Vendor) -> None:
    assert {model.tier for model in MODELS if model.vendor is vendor} == {Tier.FAST, Tier.STRONG}


def test_a_model_is_found_by_each_of_its_names() -> None:
    catalogue = Catalogue.load()
    assert all(catalogue.find(name) is model for model in MODELS for name in model.names)
    assert catalogue.find("gpt") is None


@row("L8")
def test_a_name_that_two_models_have_is_refused_with_both() -> None:
    said = refusal(entry(), entry(id="gpt-y", aliases=["openai/gpt-x"]))
    assert "'gpt-y'" in said
    assert "'openai/gpt-x' already names 'gpt-x'" in said


@row("L8")
@pytest.mark.parametrize("price", [float("nan"), float("inf"), -0.1, None, "0.1"])
@pytest.mark.parametrize("side", ["input_usd_per_million", "output_usd_per_million"])
def test_a_price_that_is_none_is_refused_with_the_entry(side: str, price: object) -> None:
    said = refusal(entry(), entry(id="gpt-y", aliases=[], **{side: price}))
    assert "'gpt-y'" in said
    assert side in said


@row("L8")
def test_a_missing_price_is_refused_with_the_entry() -> None:
    listed = entry()
    del listed["input_usd_per_million"]
    assert "'gpt-x': input_usd_per_million" in refusal(listed)


@row("L8")
@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"vendor": "acme"}, "vendor"),
        ({"vendor": None}, "vendor"),
        ({"tier": "medium"}, "tier"),
        ({"context_tokens": 0}, "context_tokens"),
        ({"aliases": [""]}, "aliases"),
        ({"speed": 3}, "speed"),
    ],
)
def test_a_field_that_can_not_be_used_is_refused_with_the_entry(
    changed: dict[str, object], field: str
) -> None:
    said = refusal(entry(**changed))
    assert "'gpt-x'" in said
    assert field in said


def test_an_entry_without_a_name_is_refused_by_its_place() -> None:
    assert "entry 2" in refusal(entry(), {"vendor": "openai"})


@pytest.mark.parametrize("text", ["", "{}", '"models"', "[1"])
def test_a_file_that_is_no_list_of_models_is_refused(text: str) -> None:
    with pytest.raises(CatalogueInvalid, match="the file"):
        Catalogue.load(text)


def test_so_much_thinking_is_asked_for_as_a_model_can_be_told() -> None:
    catalogue = Catalogue.load()
    said = {
        name: (model.thinking_effort(None), model.thinking_effort("high"))
        for name in ("gpt-4o-mini", "gpt-6-luna", "claude-sonnet", "claude-haiku-4-5")
        if (model := catalogue.find(name))
    }
    assert said == {
        "gpt-4o-mini": (None, None),
        "gpt-6-luna": ("none", "high"),
        "claude-sonnet": (None, "high"),
        "claude-haiku-4-5": (None, None),
    }


def test_the_catalogue_is_what_the_generator_makes_of_the_installed_prices() -> None:
    chosen = json.loads(model_catalogue.CHOSEN.read_text("utf-8"))
    made = model_catalogue.build_catalogue(chosen, model_catalogue.read_price_map())
    assert made == model_catalogue.SHIPPED.read_text("utf-8"), "run: make catalogue"


@pytest.mark.parametrize(
    ("today", "expected"),
    [(date(2027, 1, 30), False), (date(2027, 1, 31), True), (date(2027, 5, 1), True)],
)
def test_a_retirement_is_told_sixty_days_before(today: date, expected: bool) -> None:
    model = Catalogue.load(json.dumps([entry(retires_on="2027-04-01")])).models[0]
    assert model.retires_within(RETIREMENT_NOTICE_DAYS, today) is expected
    assert not Catalogue.load(json.dumps([entry()])).models[0].retires_within(60, today)


@pytest.mark.parametrize("vendor", Vendor)
@pytest.mark.parametrize("tier", Tier)
def test_no_default_model_retires_within_sixty_days(vendor: Vendor, tier: Tier) -> None:
    """Fails by itself some day: choose another model in training/models.json, then `make catalogue`."""
    default = next(model for model in MODELS if model.vendor is vendor and model.tier is tier)
    assert not default.retires_within(RETIREMENT_NOTICE_DAYS, datetime.now(UTC).date()), default.id
