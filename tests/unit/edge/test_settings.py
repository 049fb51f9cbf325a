from __future__ import annotations

from pathlib import Path

import pytest

from edge.auth.settings import Issuer, TokenSettings
from edge.environment import SettingsInvalid
from edge.settings import Settings
from tests.fakes.run.bad_inputs import case, row

LEAST = {"OMNIFORGE_STAGE": "dev", "OMNIFORGE_TABLE": "omniforge"}
TOKENS = {
    "OMNIFORGE_STAGE": "dev",
    "OMNIFORGE_JWT_ISSUERS": "https://id.example.com",
    "OMNIFORGE_JWT_AUDIENCE": "chat",
}


def refusal(environ: dict[str, str]) -> str:
    with pytest.raises(SettingsInvalid) as refused:
        Settings.load(environ)
    return str(refused.value)


def token_refusal(environ: dict[str, str]) -> str:
    with pytest.raises(SettingsInvalid) as refused:
        TokenSettings.load(environ)
    return str(refused.value)


def test_a_table_is_all_that_is_needed() -> None:
    settings = Settings.load(LEAST)

    assert settings.tenant_mode == "registered"
    assert settings.finish_queue is None
    assert settings.intent_model is None
    assert settings.clarify_below == 0.7
    assert (settings.context_token_budget, settings.context_max_messages) == (2_000, 20)
    assert [settings.openai, settings.anthropic, settings.bedrock] == [False] * 3


def test_where_nothing_is_said_costs_are_capped_and_results_stay_with_their_users() -> None:
    settings = Settings.load(LEAST)
    assert (settings.tenant_usd_per_day, settings.delivery_hosts) == (20.0, ())
    more = {**LEAST, "OMNIFORGE_TENANT_USD_PER_DAY": "0.5", "OMNIFORGE_DELIVERY_HOSTS": "acme.com, *"}
    settings = Settings.load(more)
    assert (settings.tenant_usd_per_day, settings.delivery_hosts) == (0.5, ("acme.com", "*"))


def test_without_a_stage_it_is_production() -> None:
    assert Settings.load({"OMNIFORGE_TABLE": "t"}).stage == "prod"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        case("L1", "OMNIFORGE_TABLE", ""),
        case("L1 blank", "OMNIFORGE_TABLE", "  "),
        ("OMNIFORGE_STAGE", "prod;rm"),
        ("OMNIFORGE_TENANTS", "closed"),
        case("L2 word", "OMNIFORGE_CONTEXT_TOKEN_BUDGET", "abc"),
        case("L2 negative", "OMNIFORGE_CONTEXT_TOKEN_BUDGET", "-1"),
        case("L2 zero", "OMNIFORGE_CONTEXT_TOKEN_BUDGET", "0"),
        case("L2 huge", "OMNIFORGE_CONTEXT_TOKEN_BUDGET", "1000000000"),
        ("OMNIFORGE_CONTEXT_TOKEN_BUDGET", "2_000"),
        ("OMNIFORGE_CONTEXT_MAX_MESSAGES", "5"),
        ("OMNIFORGE_INTENT_DEADLINE_MS", "9" * 5_000),
        ("OMNIFORGE_CLARIFY_BELOW", "nan"),
        ("OMNIFORGE_CLARIFY_BELOW", "1.5"),
        ("OMNIFORGE_CLARIFY_BELOW", "-0.1"),
        ("OMNIFORGE_ALLOWED_ORIGINS", "https://a.example/path"),
        ("OMNIFORGE_ALLOWED_ORIGINS", "*, ftp://b.example"),
        ("OMNIFORGE_PROVIDER_SECRET_ARN", "my-secret"),
        ("OMNIFORGE_TENANT_USD_PER_DAY", "much"),
        ("OMNIFORGE_TENANT_USD_PER_DAY", "-1"),
        ("OMNIFORGE_TENANT_USD_PER_DAY", "1000001"),
        ("OMNIFORGE_TENANT_USD_PER_DAY", "inf"),
        ("OMNIFORGE_DELIVERY_HOSTS", "https://acme.com"),
        ("OMNIFORGE_PUBLIC_URL", "http://chat.acme.com"),
        ("OMNIFORGE_PUBLIC_URL", "https://chat.acme.com/"),
        ("OMNIFORGE_DELIVERY_HOSTS", "*.acme.com"),
        ("OMNIFORGE_LOG_LEVEL", "LOUD"),
        ("OMNIFORGE_DOCS", "true"),
    ],
)
def test_a_wrong_setting_is_one_line_that_names_it(name: str, value: str) -> None:
    line = refusal({**LEAST, name: value})

    assert line.startswith(f"{name}: ")
    assert "\n" not in line


@pytest.mark.parametrize(
    ("name", "value"),
    [
        case("L11", "POWERTOOLS_DEV", "true"),
        case("L11 one", "POWERTOOLS_DEV", "1"),
        case("L11 idempotency", "POWERTOOLS_IDEMPOTENCY_DISABLED", "true"),
        case("clock", "OMNIFORGE_CLOCK_FILE", "clock"),
    ],
)
def test_production_refuses_what_is_for_development(name: str, value: str) -> None:
    assert refusal({**LEAST, "OMNIFORGE_STAGE": "prod", name: value}).startswith(f"{name}: ")
    assert Settings.load({**LEAST, name: value}).stage == "dev"


@row("L4")
def test_an_empty_model_is_another_choice_than_none() -> None:
    assert Settings.load({**LEAST, "OMNIFORGE_INTENT_MODEL": ""}).intent_model == ""


def test_keys_are_noticed_and_not_kept() -> None:
    settings = Settings.load({**LEAST, "OPENAI_API_KEY": "sk-hidden", "ANTHROPIC_API_KEY": "key-hidden"})

    assert settings.openai
    assert settings.anthropic
    assert "hidden" not in repr(settings)


def test_an_openai_compatible_server_needs_no_key() -> None:
    assert Settings.load({**LEAST, "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}).openai


def test_the_clock_file_is_a_path() -> None:
    assert Settings.load({**LEAST, "OMNIFORGE_CLOCK_FILE": "now.txt"}).clock_file == Path("now.txt")


def test_an_issuer_publishes_its_keys_below_its_own_address_unless_told_otherwise() -> None:
    issuers = "https://a.example/, https://b.example/realm"
    tokens = TokenSettings.load({**TOKENS, "OMNIFORGE_JWT_ISSUERS": issuers})
    moved = TokenSettings.load({**TOKENS, "OMNIFORGE_JWT_JWKS_URLS": "https://keys.example"})

    assert tokens.issuers == (
        Issuer("https://a.example/", "https://a.example/.well-known/jwks.json"),
        Issuer("https://b.example/realm", "https://b.example/realm/.well-known/jwks.json"),
    )
    assert moved.issuers == (Issuer("https://id.example.com", "https://keys.example"),)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OMNIFORGE_JWT_ISSUERS", ""),
        case("L7 issuer", "OMNIFORGE_JWT_ISSUERS", "http://id.example.com"),
        ("OMNIFORGE_JWT_ISSUERS", "id.example.com"),
        ("OMNIFORGE_JWT_ISSUERS", "https://"),
        case("L7 keys", "OMNIFORGE_JWT_JWKS_URLS", "http://id.example.com/keys"),
        ("OMNIFORGE_JWT_JWKS_URLS", "https://a.example,https://b.example"),
        ("OMNIFORGE_JWT_AUDIENCE", ""),
        ("OMNIFORGE_JWT_ALGORITHMS", "HS256"),
        ("OMNIFORGE_JWT_ALGORITHMS", "RS256,none"),
        ("OMNIFORGE_CLAIM_TENANT", "two words"),
    ],
)
def test_a_wrong_token_setting_is_one_line_that_names_it(name: str, value: str) -> None:
    assert token_refusal({**TOKENS, name: value}).startswith(f"{name}: ")


@pytest.mark.parametrize("stage", ["dev", "prod"])
def test_plain_http_is_for_this_machine_in_stage_local_only(stage: str) -> None:
    here = {**TOKENS, "OMNIFORGE_JWT_ISSUERS": "http://127.0.0.1:8787"}

    assert TokenSettings.load({**here, "OMNIFORGE_STAGE": "local"}).audience == "chat"
    assert token_refusal({**here, "OMNIFORGE_STAGE": stage}).startswith("OMNIFORGE_JWT_ISSUERS: ")


@pytest.mark.parametrize(("stage", "is_accepted"), [("local", True), ("dev", False)])
def test_the_keys_themselves_may_be_given_in_stage_local_only(stage: str, is_accepted: bool) -> None:
    keys = "data:application/json;base64,eyJrZXlzIjogW119"
    inline = {**TOKENS, "OMNIFORGE_STAGE": stage, "OMNIFORGE_JWT_JWKS_URLS": keys}

    if is_accepted:
        assert TokenSettings.load(inline).issuers == (Issuer("https://id.example.com", keys),)
    else:
        assert token_refusal(inline).startswith("OMNIFORGE_JWT_JWKS_URLS: ")


def test_the_vendors_own_variables_say_where_models_are() -> None:
    addresses = Settings.load(
        {
            **LEAST,
            "OPENAI_BASE_URL": "http://127.0.0.1:1/v1",
            "OPENAI_ORG_ID": "org-1",
            "ANTHROPIC_BASE_URL": "http://127.0.0.1:2",
            "AWS_REGION": "eu-west-1",
        }
    ).model_addresses
    assert addresses.openai_url == "http://127.0.0.1:1/v1"
    assert addresses.openai_headers == {"OpenAI-Organization": "org-1"}
    assert (addresses.anthropic_url, addresses.aws_region) == ("http://127.0.0.1:2", "eu-west-1")
    assert not addresses.is_behind_proxy
    assert Settings.load({**LEAST, "https_proxy": "http://127.0.0.1:3"}).model_addresses.is_behind_proxy


def test_aws_keys_alone_do_not_turn_bedrock_on() -> None:
    keys = {**LEAST, "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_PROFILE": "dev"}

    assert not Settings.load(keys).bedrock
    assert Settings.load({**keys, "OMNIFORGE_BEDROCK": "yes"}).bedrock
    assert not Settings.load({**keys, "OMNIFORGE_BEDROCK": "no"}).bedrock


def test_the_models_of_bedrock_are_those_whose_arns_are_given() -> None:
    arns = (
        "arn:aws:bedrock:eu-west-1::foundation-model/amazon.nova-micro-v1:0",
        "arn:aws:bedrock:eu-west-1:000000000000:inference-profile/global.anthropic.claude-haiku-5-5",
    )
    told = {"OMNIFORGE_TABLE": "t", "OMNIFORGE_BEDROCK_MODEL_ARNS": ",".join(arns)}
    assert Settings.load(told).bedrock_models == (
        "amazon.nova-micro-v1:0",
        "global.anthropic.claude-haiku-5-5",
    )
    assert Settings.load({"OMNIFORGE_TABLE": "t"}).bedrock_models is None


def test_the_public_address_is_unknown_unless_it_is_set() -> None:
    assert Settings.load(LEAST).public_url is None
    own = {**LEAST, "OMNIFORGE_PUBLIC_URL": "https://chat.acme.com"}
    assert Settings.load(own).public_url == "https://chat.acme.com"
