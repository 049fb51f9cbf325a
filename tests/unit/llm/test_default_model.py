"""Which model is asked when a setting or the credentials say so."""

from __future__ import annotations

import pytest

from llm.available_models import Credentials, build_registry, default_model, vendor_of
from tests.fakes.run.bad_inputs import row

ALL = Credentials(openai=True, anthropic=True, bedrock=True)


def test_a_setting_wins_over_credentials() -> None:
    assert default_model("ollama/llama3.2", ALL) == "ollama/llama3.2"


@row("L4")
@pytest.mark.parametrize("setting", ["", "  "])
def test_an_empty_setting_asks_no_model(setting: str) -> None:
    assert default_model(setting, ALL) is None


@pytest.mark.parametrize(
    ("credentials", "beginning"),
    [
        (ALL, "gpt-4o-mini"),
        (Credentials(anthropic=True, bedrock=True), "anthropic/claude-haiku"),
        (Credentials(bedrock=True), "bedrock/"),
        (Credentials(groq=True, gemini=True), "gemini/"),
        (Credentials(groq=True), "groq/"),
        (Credentials(ollama=True), "ollama_chat/"),
    ],
)
def test_without_a_setting_the_first_vendor_with_credentials_serves(
    credentials: Credentials, beginning: str
) -> None:
    assert (default_model(None, credentials) or "").startswith(beginning)


@row("L5")
def test_without_setting_and_credentials_there_is_no_model() -> None:
    assert default_model(None, Credentials()) is None


@pytest.mark.parametrize(
    ("model", "vendor"),
    [
        ("gpt-4o-mini", "openai"),
        ("claude-haiku-4-5", "anthropic"),
        ("bedrock/us.amazon.nova-micro-v1:0", "bedrock"),
        ("groq/openai/gpt-oss-20b", "groq"),
        ("ollama_chat/llama3.1", "ollama"),
    ],
)
def test_a_model_belongs_to_a_vendor(model: str, vendor: str) -> None:
    assert vendor_of(model) == vendor


NOVA = "bedrock/amazon.nova-micro-v1:0"


@pytest.mark.parametrize(
    ("granted", "chosen"),
    [
        (None, "bedrock/global.anthropic.claude-haiku-5-5"),
        (("amazon.nova-micro-v1:0", "amazon.nova-pro-v1:0"), NOVA),
        (("amazon.*",), NOVA),
        (("amazon.nova-pro-v1:0",), None),
    ],
)
def test_a_model_of_bedrock_is_chosen_among_those_that_are_granted(
    granted: tuple[str, ...] | None, chosen: str | None
) -> None:
    credentials = Credentials(bedrock=True, bedrock_models=granted)
    assert default_model(None, credentials) == chosen
    usable = build_registry(credentials, intent_model=chosen, strong_models=None).find_models()
    assert chosen is None or {model.id for model in usable} >= {chosen}
    assert granted is None or len(usable) <= 2
