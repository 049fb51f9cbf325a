"""The models that a deployment describes itself, beside the shipped catalogue."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conversation.clock import SystemClock
from edge.adapters.provider_keys import ProviderKeys
from edge.environment import SettingsInvalid
from edge.settings import Settings
from llm.adapters.registry import DirectAdapters
from llm.available_models import ModelServers, build_registry, default_model
from llm.catalogue import Catalogue
from llm.circuit_breaker import ModelCircuitBreakers
from llm.completion import CompletionClient
from llm.request_types import ModelRequest
from tests.fakes.models.model_script import Reply, Script
from tests.fakes.models.model_server import ModelServer

ROOT = Path(__file__).parents[3]
LARGE: dict[str, Any] = {
    "id": "openai/acme-large",
    "aliases": ["acme-large"],
    "vendor": "openai",
    "tier": "strong",
    "context_tokens": 64000,
    "max_output_tokens": 8000,
    "input_usd_per_million": 1000000,
    "output_usd_per_million": 0,
    "supports_tools": True,
    "supports_thinking": False,
    "retires_on": "2027-06-30",
}
CHEAPER = {"id": "gpt-4o-mini", "input_usd_per_million": 2000000, "output_usd_per_million": 0}


def loaded(own: object) -> Settings:
    text = own if isinstance(own, str) else json.dumps(own)
    environ = {"OMNIFORGE_TABLE": "sqlite:///t", "OPENAI_API_KEY": "k", "OMNIFORGE_MODEL_CATALOGUE": text}
    return Settings.load(environ)


def catalogue(own: object) -> Catalogue:
    found = ProviderKeys(loaded(own), clock=SystemClock()).catalogue
    assert found is not None
    return found


def test_without_the_setting_the_shipped_models_are_there_and_the_catalogue_is_not_read() -> None:
    settings = Settings.load({"OMNIFORGE_TABLE": "sqlite:///t"})
    assert ProviderKeys(settings, clock=SystemClock()).catalogue is None


def test_a_model_is_added_and_of_a_known_one_only_what_is_named_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "models.json"
    file.write_text(json.dumps([LARGE, CHEAPER]))
    for own in ([LARGE, CHEAPER], str(file)):
        found = catalogue(own)
        added, changed = found.find("acme-large"), found.find("openai/gpt-4o-mini")
        assert added is not None
        assert changed is not None
        assert (added.context_tokens, str(added.retires_on)) == (64000, "2027-06-30")
        assert (changed.input_usd_per_million, changed.cached_usd_per_million) == (2000000, 0.075)
        assert len(found.models) == len(Catalogue.load().models) + 1


@pytest.mark.parametrize(
    ("own", "problem"),
    [
        ([{**LARGE, "input_usd_per_million": -1}], r"'openai/acme-large': input_usd_per_million: .*greater"),
        ([{"id": "gpt-4o-mini", "tier": "slow"}], r"'gpt-4o-mini': tier: .*'fast' or 'strong'"),
        ([{"id": "acme-small"}], r"'acme-small': vendor: Field required"),
        ([{**LARGE, "retires_on": "soon"}], r"'openai/acme-large': retires_on: .*date"),
        ([{**LARGE, "price": 1}], r"'openai/acme-large': price: Unexpected"),
        ([{**LARGE, "aliases": ["gpt-4.1"]}], r"'openai/acme-large': 'gpt-4.1' already names 'gpt-4.1'"),
        ([{"vendor": "openai"}], r"entry 1: must be an object with an id"),
        ("[{]", r"the file: no JSON at line 1"),
        ("/no/such/file", r"must be a JSON list, or a file that can be read"),
    ],
)
def test_what_is_wrong_stops_the_start_with_setting_model_and_field(own: object, problem: str) -> None:
    with pytest.raises(SettingsInvalid, match=f"OMNIFORGE_MODEL_CATALOGUE: .*{problem}") as refused:
        ProviderKeys(loaded(own), clock=SystemClock())
    assert "\n" not in str(refused.value)


def test_an_added_model_may_be_allowed_and_is_chosen_as_any_other() -> None:
    keys = ProviderKeys(loaded([LARGE]), clock=SystemClock())
    settings = keys.model_settings()
    registry = build_registry(
        settings.credentials,
        intent_model=default_model(None, settings.credentials, settings.catalogue),
        strong_models=None,
        catalogue=settings.catalogue,
    )
    assert registry.knows("acme-large")
    allowed = frozenset({"acme-large"})
    assert [model.id for model in registry.find_models(allowed)] == ["openai/acme-large"]
    assert registry.find_strong_models()[-1].id == "openai/acme-large"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(Script(default=Reply(content="Yes."))) as running:
        yield running


@pytest.mark.parametrize(("model", "usd_per_token"), [("openai/acme-large", 1), ("gpt-4o-mini", 2)])
def test_a_call_costs_what_the_deployment_says(server: ModelServer, model: str, usd_per_token: int) -> None:
    clock, own = SystemClock(), Catalogue.extended(json.dumps([LARGE, CHEAPER]))
    client = CompletionClient(
        timer=clock,
        breaker=ModelCircuitBreakers(clock.monotonic),
        api_key=lambda _vendor: "k",
        direct=DirectAdapters(ModelServers(openai_url=server.base_url), max_connections=1, catalogue=own),
        catalogue=own,
    )
    question = ModelRequest(messages=[{"role": "user", "content": "Is it?"}], max_tokens=10, temperature=0)
    answer = client.complete(question, model=model, deadline_s=30)
    assert answer.cost_usd == answer.prompt_tokens * usd_per_token


def test_the_documented_list_can_be_used() -> None:
    [shown] = re.findall(r"```json\n(.*?)```", (ROOT / "docs/models.md").read_text("utf-8"), re.DOTALL)
    assert catalogue(shown).find("acme-large") is not None
