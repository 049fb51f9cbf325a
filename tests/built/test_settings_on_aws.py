"""Every setting can be given to a deployment, as docs/settings.md says; the template and the code agree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from edge.environment import SettingsInvalid
from edge.settings import Settings
from local.template.intrinsics import Resolver
from tests.built.build import ROOT
from tests.built.deployed_stack import deployed
from tests.built.test_template_policy import LEAST, TEMPLATE

ROW = re.compile(r"^\| ((?:`[A-Z_]+`(?:, )?)+) \| [^|]* \| ([^|]*) \|", re.MULTILINE)
READ = re.compile(r'"([A-Z]+(?:_[A-Z0-9]+)+|[a-z]+_proxy)"')
SOURCES = (
    "layers/edge/edge/settings.py",
    "layers/edge/edge/environment.py",
    "layers/edge/edge/auth/settings.py",
    "local/settings.py",
)
NO_SETTINGS = frozenset(
    {"POWERTOOLS_DEV", "POWERTOOLS_IDEMPOTENCY_DISABLED", "RELEASE", "TIKTOKEN_CACHE_DIR"}
)
OF_THE_PAGE = ("OMNIFORGE_PAGE_", "OMNIFORGE_EMBED_")
"""Settings of no function on AWS: the page's configuration and headers hold them."""
GIVEN: Mapping[str, tuple[str, str]] = {
    "AllowedOrigins": ("https://app.example.com", "https://app.example.com"),
    "AnthropicBaseUrl": ("https://models.example.com", "https://models.example.com"),
    "AttachmentBytes": ("5000", "5000"),
    "AttachmentsPerMessage": ("2", "2"),
    "AttachmentTypes": ("text/plain", "text/plain"),
    "Audience": ("another", "another"),
    "BedrockEndpoint": ("https://bedrock.example.com", "https://bedrock.example.com"),
    "BedrockModelArns": (
        "arn:aws:bedrock:eu-west-1::foundation-model/a",
        "arn:aws:bedrock:eu-west-1::foundation-model/a",
    ),
    "BedrockRegion": ("us-west-2", "us-west-2"),
    "BytesPerDay": ("5000", "5000"),
    "ClarifyBelow": ("0.5", "0.5"),
    "ContextMaxMessages": ("30", "30"),
    "ContextTokenBudget": ("3000", "3000"),
    "DeliveryHosts": ("example.com", "example.com"),
    "Docs": ("on", "on"),
    "EventBusArn": (*2 * ("arn:aws:events:eu-west-1:000000000000:event-bus/others",),),
    "EmbedOrigins": ("https://site.example.com", "https://site.example.com"),
    "History": ("off", "off"),
    "Identity": ("cognito", "scope"),
    "IntentDeadlineMs": ("1500", "1500"),
    "IntentModel": ("openai/gpt-x", "openai/gpt-x"),
    "Issuers": ("https://id.example.org", "https://id.example.org"),
    "JwksUrls": ("https://id.example.com/keys", "https://id.example.com/keys"),
    "LogLevel": ("DEBUG", "DEBUG"),
    "ModelCatalogue": ('[{"id": "gpt-4o-mini", "input_usd_per_million": 1}]',) * 2,
    "MailSender": ("reports@acme.example", "ses:reports@acme.example"),
    "OllamaUrl": ("http://10.0.0.1:11434", "http://10.0.0.1:11434"),
    "OpenAiBaseUrl": ("https://models.example.com/v1", "https://models.example.com/v1"),
    "OpenAiOrganization": ("org-1", "org-1"),
    "OpenAiProject": ("project-1", "project-1"),
    "AuthorizationServer": ("https://id.example.com/mcp", "https://id.example.com/mcp"),
    "PageAuthority": ("https://id.example.com", "https://id.example.com"),
    "PageClientId": ("another", "another"),
    "PageScope": ("openid chat", "openid chat"),
    "PageSignInOrigins": ("https://token.example.com", "https://token.example.com"),
    "PublicUrl": ("https://chat.example.com", "https://chat.example.com"),
    "PageToken": ("id_token", "id_token"),
    "ProviderSecretArn": (*2 * ("arn:aws:secretsmanager:eu-west-1:000000000000:secret:providers-Ab12",),),
    "RolesClaim": ("groups", "groups"),
    "RunTimeoutSeconds": ("60", "60"),
    "SearchUrl": ("https://search.example.com", "https://search.example.com"),
    "Stage": ("test", "test"),
    "StorageDeadlineMs": ("1200", "1200"),
    "StrongModels": ("openai/gpt-x", "openai/gpt-x"),
    "Summaries": ("rule", "rule"),
    "TenantClaim": ("org", "org"),
    "TenantCredentials": ("on", "TenantRole.Arn"),
    "TenantUsdPerDay": ("5", "5"),
    "Tenants": ("open", "open"),
    "Titles": ("rule", "rule"),
    "TokenAlgorithms": ("RS256", "RS256"),
    "TurnsAtOnce": ("5", "5"),
    "TurnsBurst": ("5", "5"),
    "TurnsPerMinute": ("5", "5"),
    "UserClaim": ("email", "email"),
}
"""A value of each parameter that the page names, and what becomes of it."""


class Row(NamedTuple):
    """One row of docs/settings.md: the variables, and where a deployed stack takes them from."""

    variables: tuple[str, ...]
    on_aws: str

    @property
    def parameter(self) -> str | None:
        """The template's parameter; None where there is none."""
        found = re.fullmatch(r"`([A-Za-z]+)`", self.on_aws)
        return found[1] if found else None


def rows() -> Iterator[Row]:
    for variables, on_aws in ROW.findall((ROOT / "docs/settings.md").read_text("utf-8")):
        yield Row(tuple(re.findall(r"`([A-Z_]+)`", variables)), on_aws)


ROWS = tuple(rows())
BY_PARAMETER = [row for row in ROWS if row.parameter]


def environments(parameters: Mapping[str, str]) -> dict[str, set[str]]:
    """The values that each variable has among the functions of a stack."""
    found: dict[str, set[str]] = {}
    for function in deployed(TEMPLATE, parameters).functions().values():
        for name, value in function["Environment"]["Variables"].items():
            found.setdefault(name, set()).add(str(value))
    return found


def read_variables() -> set[str]:
    """Every variable that the code reads settings from, as its sources name them."""
    texts = [(ROOT / source).read_text("utf-8") for source in SOURCES]
    return {name.upper() for text in texts for name in READ.findall(text)}


def test_the_page_has_every_setting_that_the_code_reads_and_no_other() -> None:
    listed = [variable for row in ROWS for variable in row.variables]
    assert len(listed) > 60
    assert len(listed) == len(set(listed))
    assert set(listed) == read_variables() - NO_SETTINGS


def test_every_setting_says_where_a_deployed_stack_takes_it_from() -> None:
    ways = re.compile(r"`[A-Za-z]+`|by the stack|in the secret: `[a-z]+`|no: \S.+")
    assert [row for row in ROWS if not ways.fullmatch(row.on_aws)] == []
    assert {row.parameter for row in BY_PARAMETER} == GIVEN.keys()
    assert GIVEN.keys() <= TEMPLATE["Parameters"].keys()


@pytest.mark.parametrize("row", BY_PARAMETER, ids=[str(row.parameter) for row in BY_PARAMETER])
def test_a_parameter_is_what_its_setting_becomes(row: Row) -> None:
    name = str(row.parameter)
    value, expected = GIVEN[name]
    pattern = TEMPLATE["Parameters"][name].get("AllowedPattern", ".*")
    assert re.fullmatch(pattern, value)
    assert value in map(str, TEMPLATE["Parameters"][name].get("AllowedValues", [value]))
    if row.variables[0].startswith(OF_THE_PAGE):
        page = {**LEAST, "Page": "yes"}
        assert expected not in of_the_page(page)
        assert expected in of_the_page({**page, name: value})
        return
    default, given = environments(LEAST), environments({**LEAST, name: value})
    changed = [variable for variable in row.variables if default.get(variable) != given.get(variable)]
    assert len(changed) == 1
    assert given[changed[0]] == {expected}


def of_the_page(parameters: Mapping[str, str]) -> str:
    resolver = Resolver(TEMPLATE, parameters)
    [headers] = deployed(TEMPLATE, parameters).of_type("AWS::CloudFront::ResponseHeadersPolicy").values()
    return f"{resolver.resolve(TEMPLATE['Outputs']['PageConfig']['Value'])}\n{headers}"


def test_what_no_parameter_sets_is_set_by_the_stack_or_by_nobody() -> None:
    set_by_somebody = environments(LEAST)
    for row in ROWS:
        if row.on_aws == "by the stack":
            assert set(row.variables) <= set_by_somebody.keys(), row
        elif row.parameter is None:
            assert not set(row.variables) & set_by_somebody.keys(), row


def test_every_setting_of_the_template_is_on_the_page() -> None:
    given = {name: value for name, (value, _) in GIVEN.items()}
    known = {variable for row in ROWS for variable in row.variables} | NO_SETTINGS
    of_others = re.compile(r"(AWS|POWERTOOLS|LITELLM|PYDANTIC|OTEL)_\w+")
    unknown = {name for name in environments({**LEAST, **given}) if not of_others.fullmatch(name)} - known
    assert unknown == set()


def settings_of(function: str, parameters: Mapping[str, str]) -> Settings:
    """The settings that a function of a stack reads."""
    variables = deployed(TEMPLATE, parameters).functions()[function]["Environment"]["Variables"]
    role = {"OMNIFORGE_TENANT_ROLE_ARN": "arn:aws:iam::000000000000:role/TenantRole"}
    known = {name: value for name, value in role.items() if name in variables}
    return Settings.load({name: str(value) for name, value in variables.items()} | known)


def test_the_defaults_of_the_parameters_are_those_of_the_code() -> None:
    of_stack = settings_of("ChatFunction", LEAST)._asdict()
    own = Settings.load({"OMNIFORGE_TABLE": "Table", "OMNIFORGE_STAGE": "dev"})._asdict()
    differ = {name for name in own if own[name] != of_stack[name]}
    # Without the name of a model the code looks for credentials; a stack says that there are none.
    assert differ == {
        "allowed_origins", "attachments", "finish_queue", "intent_model", "tenant_secrets",
        "token_vocabulary",
    }  # fmt: skip


def test_a_stack_with_every_parameter_given_starts() -> None:
    given: dict[str, Any] = {name: value for name, (value, _) in GIVEN.items()}
    for function in ("ChatFunction", "AgentRunsFunction", "ConversationsFunction"):
        settings = settings_of(function, {**LEAST, **given})
        assert (settings.intent_deadline_ms, settings.log_level, settings.own_server) == (1500, "DEBUG", True)
    assert settings.model_addresses.openai_url == "https://models.example.com/v1"


def test_a_server_of_the_deployers_own_is_a_model_to_ask() -> None:
    assert settings_of("ChatFunction", LEAST).intent_model == ""
    own = settings_of("ChatFunction", {**LEAST, "OpenAiBaseUrl": "https://models.example.com/v1"})
    assert own.intent_model is None
    assert own.keyless_vendors == {"openai"}


def test_the_least_and_the_greatest_value_of_a_parameter_are_ones_the_code_takes() -> None:
    numbers = {row.variables[0]: row.parameter for row in BY_PARAMETER}
    for variable, name in numbers.items():
        parameter = TEMPLATE["Parameters"][str(name)]
        for bound in ("MinValue", "MaxValue"):
            if bound in parameter:
                try:
                    Settings.load({"OMNIFORGE_TABLE": "Table", variable: str(parameter[bound])})
                except SettingsInvalid as invalid:
                    pytest.fail(f"{name}: {invalid}")
