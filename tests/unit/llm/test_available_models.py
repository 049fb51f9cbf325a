"""Which models a deployment and a tenant can use."""

from __future__ import annotations

import pytest

from llm.available_models import Credentials, ModelRegistry, build_registry, vendor_of
from llm.catalogue import Catalogue, Model, Tier, Vendor

BOTH = Credentials(openai=True, anthropic=True)


def ids(models: tuple[Model, ...]) -> list[str]:
    return [model.id for model in models]


def registry(
    credentials: Credentials = BOTH,
    intent_model: str | None = "gpt-4o-mini",
    strong_models: tuple[str, ...] | None = None,
) -> ModelRegistry:
    return build_registry(credentials, intent_model=intent_model, strong_models=strong_models)


def test_only_models_of_vendors_with_credentials_can_be_used() -> None:
    vendors = {model.vendor for model in registry().find_models()}
    assert vendors == {Vendor.OPENAI, Vendor.ANTHROPIC}
    assert registry().find("gemini/gemini-3.8-flash") is None
    assert registry().knows("gemini/gemini-3.8-flash")


def test_an_alias_finds_the_same_model() -> None:
    here = registry()
    assert here.find("claude-sonnet") is here.find("anthropic/claude-sonnet-5-5") is not None


def test_a_name_of_nothing_is_not_known() -> None:
    assert not registry().knows("gpt-99")
    assert registry().find("gpt-99") is None
    assert registry().find("openai/house-model") is None


@pytest.mark.parametrize("listed", ["claude-sonnet", "anthropic/claude-sonnet-5-5", "claude-sonnet-5-5"])
def test_a_policy_may_list_models_by_any_of_their_names(listed: str) -> None:
    allowed = frozenset({listed, "no-such-model"})
    here = registry()
    assert ids(here.find_models(allowed)) == ["anthropic/claude-sonnet-5-5"]
    assert ids(here.find_strong_models(allowed)) == ["anthropic/claude-sonnet-5-5"]
    assert here.find("gpt-4o-mini", allowed) is None
    assert here.find_fast_model(Vendor.OPENAI, allowed) is None


def test_a_policy_that_lists_nothing_allows_nothing() -> None:
    assert registry().find_models(frozenset()) == ()


def test_a_vendors_fast_model_is_found() -> None:
    fast = registry().find_fast_model(Vendor.ANTHROPIC)
    assert fast is not None
    assert fast.id == "anthropic/claude-haiku-5-5"


def test_the_model_that_understands_is_preferred_among_the_fast_ones() -> None:
    here = registry(intent_model="gpt-6-luna")
    assert here.find_fast_model(Vendor.OPENAI) is here.find("gpt-6-luna") is here.find_intent_model()
    assert here.find_models()[0].id == "gpt-6-luna"


def test_unless_told_every_strong_model_of_the_catalogue_is_one() -> None:
    strong = registry().find_strong_models()
    assert {model.tier for model in strong} == {Tier.STRONG}
    assert {model.vendor for model in strong} == {Vendor.OPENAI, Vendor.ANTHROPIC}


def test_the_strong_models_are_those_that_were_told_in_their_order() -> None:
    here = registry(strong_models=("openai/house-model", "claude-opus", "gpt-4o-mini"))
    assert ids(here.find_strong_models()) == [
        "openai/house-model",
        "anthropic/claude-opus-5-5",
        "gpt-4o-mini",
    ]
    assert here.knows("openai/house-model")
    assert registry(strong_models=()).find_strong_models() == ()


def test_the_offline_tier_has_no_model_but_knows_their_names() -> None:
    offline = registry(intent_model=None, strong_models=("claude-opus",))
    assert (offline.find_models(), offline.find_strong_models(), offline.find_intent_model()) == (
        (),
        (),
        None,
    )
    assert offline.find("gpt-4o-mini") is None
    assert offline.knows("gpt-4o-mini")


def test_a_server_of_ones_own_has_models_of_any_name() -> None:
    here = registry(Credentials(openai=True, own_server=True))
    found = here.find("openai/house-model")
    assert found is not None
    assert (found.vendor, found.cost_usd(1, 1)) == (Vendor.OPENAI, None)
    assert here.knows("qwen3")


@pytest.mark.parametrize(
    "name", ["my-finetune", "Qwen/Qwen3-8B", "claude-like", "huggingface/http://127.0.0.1:9/x"]
)
def test_any_name_reaches_a_server_of_ones_own(name: str) -> None:
    here = registry(Credentials(openai=True, own_server=True), intent_model=name)
    found = here.find(name)
    assert found is not None
    assert found is here.find_intent_model()
    assert found.vendor is Vendor.OPENAI
    assert vendor_of(found.id) == "openai"
    assert found.id.removeprefix("openai/") == name


def test_a_name_with_the_prefix_of_another_vendor_is_that_vendors_where_it_has_a_key() -> None:
    both = Credentials(openai=True, own_server=True, groq=True)
    assert (
        registry(both, intent_model="groq/newest").find_intent_model()
        == registry(Credentials(groq=True), intent_model="groq/newest").find_intent_model()
    )
    assert registry(both).find("groq/newest") is None


def test_of_a_server_with_a_model_of_its_own_no_other_is_expected() -> None:
    here = registry(Credentials(openai=True, own_server=True, groq=True), intent_model="openai/house-model")
    assert ids(here.find_strong_models())[0] == "openai/house-model"
    assert {model.vendor for model in here.find_strong_models()[1:]} == {Vendor.GROQ}
    assert here.find_fast_model(Vendor.OPENAI) is here.find_strong_models()[0]


def test_a_server_of_ones_own_is_not_told_how_hard_to_think() -> None:
    models = registry(Credentials(openai=True, own_server=True), intent_model="gpt-6-luna").find_models()
    assert [model.thinking_effort("high") for model in models] == [None] * len(models)


def test_models_of_ollama_are_asked_in_the_way_that_has_tools() -> None:
    here = registry(Credentials(ollama=True), intent_model="ollama/qwen3:8b")
    assert ids(here.find_models()) == ["ollama_chat/qwen3:8b"]
    assert here.find("ollama/qwen3:8b") is here.find("ollama_chat/qwen3:8b") is here.find_strong_models()[0]


def test_a_catalogue_of_ones_own_is_used() -> None:
    small = Catalogue(Catalogue.load().models[:1])
    here = ModelRegistry(small, vendors=frozenset(Vendor))
    assert len(here.find_models()) == 1
