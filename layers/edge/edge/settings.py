"""The settings of a deployment, read from the environment once and checked before anything else runs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple, get_args
from urllib.parse import urlsplit

from conversation.attachments.file_types import MEDIA_TYPES
from conversation.attachments.limits import AttachmentLimits
from conversation.context.window import ContextLimits
from conversation.limits.rates import RateLimits
from conversation.usage.spend_caps import DEFAULT_USD_PER_DAY
from edge.environment import EnvironmentReader, SettingsInvalid, process_environment

TenantMode = Literal["open", "registered"]
TENANT_MODES: tuple[TenantMode, ...] = get_args(TenantMode)

PRODUCTION = "prod"
LOCAL = "local"
SEARCH_URL = "https://api.tavily.com/search"

_PUBLIC_URL = r"(https://[A-Za-z0-9.-]+|http://(127\.0\.0\.1|localhost))(:[0-9]+)?"
_WITH_DOCS = frozenset({LOCAL, "dev"})
_FOR_DEVELOPMENT = ("POWERTOOLS_DEV", "POWERTOOLS_IDEMPOTENCY_DISABLED")
"""Powertools' development switches. The first one prints whole events and returns stack traces to clients."""


class ModelAddresses(NamedTuple):
    """Where the models' servers are: `llm.available_models.ModelServers`, which not every function has."""

    openai_url: str | None
    openai_headers: Mapping[str, str]
    anthropic_url: str | None
    bedrock_url: str | None
    aws_region: str | None
    is_behind_proxy: bool


class Settings(NamedTuple):
    """Every setting of every function, checked."""

    stage: str
    table: str
    storage_deadline_ms: int
    """How long a request to the table may take, retries included, where a client waits for the answer."""
    tenant_role_arn: str | None
    """The role to assume for the table, in a session of one tenant; None: each function uses its own role."""
    finish_queue: str | None
    tenant_mode: TenantMode
    allowed_origins: tuple[str, ...]
    intent_model: str | None
    """None: choose by the available credentials; empty: ask no model."""
    model_catalogue: str | None
    """Models to add to the catalogue, or fields of its models to replace, as JSON; None: none."""
    intent_deadline_ms: int
    clarify_below: float
    history: bool
    """Whether conversations are stored; a tenant's policy can only switch it off."""
    titles: str
    """How conversations get titles: by ``model`` (by rule where there is none), or always by ``rule``."""
    summaries: str
    """How messages that drop out of the context are summarised; same values as ``titles``."""
    context_token_budget: int
    context_max_messages: int
    rate_limits: RateLimits
    """The rate limits of a tenant that has no grant of its own."""
    tenant_usd_per_day: float
    """What the models of a tenant may cost in a UTC day that has no grant of its own."""
    strong_models: tuple[str, ...] | None
    """The models that answer questions and execute runs, by id or alias; None: every strong model there are
    credentials for; empty: none."""
    run_queue: str | None
    """The queue of runs to execute: the URL of an SQS queue, or ``sqlite:///`` and a path."""
    retention_queue: str | None
    """The queue of requests to the retention function; same forms as ``run_queue``."""
    run_timeout_s: int
    """How long a run may take before it is stopped."""
    schedules: str | None
    """Where agents' schedules are stored: the name of an EventBridge Scheduler group, or ``sqlite:///`` and a
    path."""
    schedule_target_arn: str | None
    """The queue that schedules send to; EventBridge Scheduler only."""
    schedule_role_arn: str | None
    """The role that schedules send as; EventBridge Scheduler only."""
    schedule_dead_letters_arn: str | None
    """The queue for messages a schedule can't deliver; EventBridge Scheduler only. None: they are lost."""
    attachments: str | None
    """Where the files of messages are kept: the name of an S3 bucket, or ``file://`` and a folder; None: no
    files are taken."""
    attachment_limits: AttachmentLimits
    mail: str | None
    """How results are mailed: ``ses:`` and the sender's address, or ``file://`` and a folder; None: none."""
    delivery_hosts: tuple[str, ...]
    """Domains and hosts that every tenant may send results to that decides nothing itself; ``*``: any."""
    tenant_secrets: str | None
    """Where tenants' secrets are stored: a prefix of names in Secrets Manager, or ``file://`` and a file."""
    public_url: str | None
    """The origin where browsers reach the page and the API; None: nobody can sign in to services."""
    authorization_servers: tuple[str, ...]
    """Where MCP clients sign their users in: the issuers of the tokens that are accepted."""
    sign_in_scopes: tuple[str, ...]
    """The scopes that MCP clients ask for."""
    event_bus: str | None
    """Where other systems hear of events: the ARN of an EventBridge bus, or ``log:``; None: nowhere."""
    search_url: str
    token_vocabulary: Path | None
    """The folder of tiktoken's vocabularies; None: token counts are estimates."""
    provider_secret_arn: str | None
    clock_file: Path | None
    openai: bool
    """Whether a key for OpenAI, or the address of a server that speaks its protocol, is set."""
    keyless_vendors: frozenset[str]
    """Vendors with a server address but no key; most servers that speak OpenAI's protocol need none."""
    own_server: bool
    """Whether the address of a server that speaks OpenAI's protocol is set; its models may have any name."""
    model_addresses: ModelAddresses
    """Where the models' servers are, by the vendors' own variables."""
    anthropic: bool
    bedrock: bool
    """Whether Bedrock's models may be asked, with the AWS credentials at hand."""
    bedrock_models: tuple[str, ...] | None
    """The ids of Bedrock's models that may be asked, ``*`` standing for any text; None: all."""
    gemini: bool
    groq: bool
    ollama: bool
    docs: bool
    """Whether ``/docs`` shows the API's description as a page."""
    log_level: str

    @property
    def storage_deadline_s(self) -> float:
        """``storage_deadline_ms`` in seconds."""
        return self.storage_deadline_ms / 1000

    @property
    def intent_deadline_s(self) -> float:
        """``intent_deadline_ms`` in seconds."""
        return self.intent_deadline_ms / 1000

    @property
    def context_limits(self) -> ContextLimits:
        """How much of a conversation a model is shown."""
        return ContextLimits(budget_tokens=self.context_token_budget, max_messages=self.context_max_messages)

    @classmethod
    def load(cls, environ: Mapping[str, str] | None = None) -> Settings:
        """The settings in an environment, by default this process's.

        Raises:
            SettingsInvalid: for the first setting that can't be used.
        """
        read = EnvironmentReader(process_environment() if environ is None else environ)
        stage = read_stage(read)
        return cls(
            stage=stage,
            table=read.required("OMNIFORGE_TABLE"),
            storage_deadline_ms=read.integer("OMNIFORGE_STORAGE_DEADLINE_MS", 900, low=100, high=60_000),
            tenant_role_arn=_tenant_role(read),
            finish_queue=read.text("OMNIFORGE_FINISH_QUEUE"),
            tenant_mode=read.one_of("OMNIFORGE_TENANTS", "registered", TENANT_MODES),
            allowed_origins=_origins(read),
            intent_model=read.raw("OMNIFORGE_INTENT_MODEL"),
            model_catalogue=read.json_or_file("OMNIFORGE_MODEL_CATALOGUE"),
            intent_deadline_ms=read.integer("OMNIFORGE_INTENT_DEADLINE_MS", 800, low=50, high=20_000),
            clarify_below=read.fraction("OMNIFORGE_CLARIFY_BELOW", 0.7),
            history=read.one_of("OMNIFORGE_HISTORY", "on", ("on", "off")) == "on",
            titles=read.one_of("OMNIFORGE_TITLES", "model", ("model", "rule")),
            summaries=read.one_of("OMNIFORGE_SUMMARIES", "model", ("model", "rule")),
            context_token_budget=read.integer(
                "OMNIFORGE_CONTEXT_TOKEN_BUDGET", 2_000, low=100, high=1_000_000
            ),
            context_max_messages=read.integer("OMNIFORGE_CONTEXT_MAX_MESSAGES", 20, low=6, high=500),
            rate_limits=_rate_limits(read),
            tenant_usd_per_day=read.amount(
                "OMNIFORGE_TENANT_USD_PER_DAY", DEFAULT_USD_PER_DAY, low=0, high=1_000_000
            ),
            strong_models=_strong_models(read),
            run_queue=read.text("OMNIFORGE_RUN_QUEUE"),
            retention_queue=read.text("OMNIFORGE_RETENTION_QUEUE"),
            run_timeout_s=read.integer("OMNIFORGE_RUN_TIMEOUT_S", 300, low=5, high=840),
            schedules=read.text("OMNIFORGE_SCHEDULES"),
            schedule_target_arn=read.text("OMNIFORGE_SCHEDULE_TARGET_ARN"),
            schedule_role_arn=read.text("OMNIFORGE_SCHEDULE_ROLE_ARN"),
            schedule_dead_letters_arn=read.text("OMNIFORGE_SCHEDULE_DEAD_LETTERS_ARN"),
            attachments=read.text("OMNIFORGE_ATTACHMENTS"),
            attachment_limits=_attachment_limits(read),
            mail=_mail(read),
            delivery_hosts=_delivery_hosts(read),
            tenant_secrets=read.text("OMNIFORGE_TENANT_SECRETS"),
            public_url=read.matching(
                "OMNIFORGE_PUBLIC_URL", _PUBLIC_URL, "must be an origin such as https://chat.example.com"
            ),
            authorization_servers=_authorization_servers(read),
            sign_in_scopes=tuple((read.text("OMNIFORGE_SIGN_IN_SCOPE") or "openid").split()),
            event_bus=_event_bus(read),
            search_url=read.text("OMNIFORGE_SEARCH_URL") or SEARCH_URL,
            token_vocabulary=read.path("TIKTOKEN_CACHE_DIR"),
            provider_secret_arn=_provider_secret(read),
            clock_file=_clock_file(read, stage),
            openai=read.is_set("OPENAI_API_KEY") or read.is_set("OPENAI_BASE_URL"),
            keyless_vendors=_keyless(read),
            own_server=read.is_set("OPENAI_BASE_URL"),
            model_addresses=_model_addresses(read),
            anthropic=read.is_set("ANTHROPIC_API_KEY"),
            # AWS credentials don't count: a function always has some, a developer's are for other things.
            bedrock=bool(read.boolean("OMNIFORGE_BEDROCK")),
            bedrock_models=_bedrock_models(read),
            gemini=read.is_set("GEMINI_API_KEY"),
            groq=read.is_set("GROQ_API_KEY"),
            ollama=read.is_set("OLLAMA_API_BASE"),
            docs=read.one_of("OMNIFORGE_DOCS", "on" if stage in _WITH_DOCS else "off", ("on", "off")) == "on",
            log_level=read.one_of("OMNIFORGE_LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR")),
        )


def read_stage(read: EnvironmentReader) -> str:
    """The stage's name, by default production, where development switches are refused."""
    stage = read.matching(
        "OMNIFORGE_STAGE", r"[a-z][a-z0-9-]{0,31}", "must be lower-case letters, digits and hyphens"
    )
    if stage is not None and stage != PRODUCTION:
        return stage
    for name in _FOR_DEVELOPMENT:
        if read.boolean(name):
            raise SettingsInvalid(name, f"must not be on in stage {PRODUCTION}")
    return PRODUCTION


def _keyless(read: EnvironmentReader) -> frozenset[str]:
    is_named = read.is_set("OPENAI_BASE_URL") and not read.is_set("OPENAI_API_KEY")
    return frozenset({"openai"} if is_named else ())


def _model_addresses(read: EnvironmentReader) -> ModelAddresses:
    """The variables that litellm and the vendors' own libraries read."""

    def first(*names: str) -> str | None:
        return next(filter(None, map(read.text, names)), None)

    billed = {
        "OpenAI-Organization": first("OPENAI_ORGANIZATION", "OPENAI_ORG_ID"),
        "OpenAI-Project": read.text("OPENAI_PROJECT_ID"),
    }
    proxies = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")
    return ModelAddresses(
        openai_url=read.text("OPENAI_BASE_URL"),
        openai_headers={name: value for name, value in billed.items() if value is not None},
        anthropic_url=first("ANTHROPIC_API_BASE", "ANTHROPIC_BASE_URL"),
        bedrock_url=read.text("AWS_BEDROCK_RUNTIME_ENDPOINT"),
        aws_region=first("AWS_REGION_NAME", "AWS_REGION", "AWS_DEFAULT_REGION"),
        is_behind_proxy=first(*proxies) is not None,
    )


def _bedrock_models(read: EnvironmentReader) -> tuple[str, ...] | None:
    """The last parts of the ARNs of models and inference profiles."""
    arns = read.comma_separated("OMNIFORGE_BEDROCK_MODEL_ARNS")
    return tuple(arn.rpartition("/")[2] for arn in arns) or None


def _strong_models(read: EnvironmentReader) -> tuple[str, ...] | None:
    name = "OMNIFORGE_STRONG_MODELS"
    return None if read.raw(name) is None else read.comma_separated(name)


def _rate_limits(read: EnvironmentReader) -> RateLimits:
    defaults = RateLimits()
    return RateLimits(
        turns_per_minute=read.integer(
            "OMNIFORGE_TURNS_PER_MINUTE", defaults.turns_per_minute, low=1, high=60_000
        ),
        burst=read.integer("OMNIFORGE_TURNS_BURST", defaults.burst, low=1, high=10_000),
        turns_at_once=read.integer("OMNIFORGE_TURNS_AT_ONCE", defaults.turns_at_once, low=1, high=1_000),
        bytes_per_day=read.integer("OMNIFORGE_BYTES_PER_DAY", defaults.bytes_per_day, low=1, high=10**12),
    )


def _origins(read: EnvironmentReader) -> tuple[str, ...]:
    origins = read.comma_separated("OMNIFORGE_ALLOWED_ORIGINS")
    for origin in origins:
        parts = urlsplit(origin)
        if origin != "*" and (
            parts.scheme not in {"http", "https"} or origin != f"{parts.scheme}://{parts.netloc}"
        ):
            raise SettingsInvalid(
                "OMNIFORGE_ALLOWED_ORIGINS", "must be * or origins such as https://app.example.com"
            )
    return origins


def _attachment_limits(read: EnvironmentReader) -> AttachmentLimits:
    defaults, name = AttachmentLimits(), "OMNIFORGE_ATTACHMENT_TYPES"
    types = read.comma_separated(name) or defaults.types
    if not set(types) <= set(MEDIA_TYPES):
        raise SettingsInvalid(name, f"must be some of {', '.join(MEDIA_TYPES)}, separated by commas")
    return AttachmentLimits(
        bytes=read.integer("OMNIFORGE_ATTACHMENT_BYTES", defaults.bytes, low=1, high=64 * 1024 * 1024),
        per_message=read.integer("OMNIFORGE_ATTACHMENTS_PER_MESSAGE", defaults.per_message, low=1, high=10),
        types=types,
    )


def _mail(read: EnvironmentReader) -> str | None:
    return read.matching(
        "OMNIFORGE_MAIL",
        r"ses:[^\s@]+@[^\s@]+|file://\S+",
        "must be ses: and an address, or file:// and a folder (in the local twin)",
    )


def _authorization_servers(read: EnvironmentReader) -> tuple[str, ...]:
    name = "OMNIFORGE_AUTHORIZATION_SERVERS"
    servers = read.comma_separated(name)
    if not all(re.fullmatch(rf"{_PUBLIC_URL}(/[!-~]*)?", server) for server in servers):
        raise SettingsInvalid(name, "must be https addresses, separated by commas")
    return servers


def _event_bus(read: EnvironmentReader) -> str | None:
    return read.matching(
        "OMNIFORGE_EVENT_BUS",
        r"log:|arn:[a-z-]+:events:[a-z0-9-]+:\d{12}:event-bus/[A-Za-z0-9._/-]+",
        "must be the ARN of an EventBridge bus, or log: (in the local twin)",
    )


def _delivery_hosts(read: EnvironmentReader) -> tuple[str, ...]:
    hosts = read.comma_separated("OMNIFORGE_DELIVERY_HOSTS")
    if not all(re.fullmatch(r"\*|[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*", host) for host in hosts):
        raise SettingsInvalid(
            "OMNIFORGE_DELIVERY_HOSTS", "must be * or domains such as example.com, separated by commas"
        )
    return hosts


def _provider_secret(read: EnvironmentReader) -> str | None:
    return read.matching(
        "OMNIFORGE_PROVIDER_SECRET_ARN",
        r"arn:[a-z-]+:secretsmanager:[a-z0-9-]+:\d{12}:secret:\S+",
        "must be the ARN of a Secrets Manager secret",
    )


def _tenant_role(read: EnvironmentReader) -> str | None:
    return read.matching(
        "OMNIFORGE_TENANT_ROLE_ARN", r"arn:[a-z-]+:iam::\d{12}:role/\S+", "must be the ARN of an IAM role"
    )


def _clock_file(read: EnvironmentReader, stage: str) -> Path | None:
    path = read.path("OMNIFORGE_CLOCK_FILE")
    if path is not None and stage == PRODUCTION:
        raise SettingsInvalid("OMNIFORGE_CLOCK_FILE", f"must not be set in stage {PRODUCTION}")
    return path
