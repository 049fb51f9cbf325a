"""What a deployment may set, read from the environment once and checked before anything else runs.

The only module besides `local` that knows the environment; everything else gets values from here. No secret
is kept: whether a key is present is a flag, and the key itself stays with the library that uses it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from conversation.pace import Pace

TenantMode = Literal["open", "registered"]

PRODUCTION = "prod"
LOCAL = "local"
ALGORITHMS = ("RS256", "ES256")
SEARCH_URL = "https://api.tavily.com/search"

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_STAGE = re.compile(r"[a-z][a-z0-9-]{0,31}")
_CLAIM = re.compile(r"[!-~]{1,128}")
_TRUE = frozenset({"1", "true", "yes", "on", "y", "t"})
_FOR_DEVELOPMENT = ("POWERTOOLS_DEV", "POWERTOOLS_IDEMPOTENCY_DISABLED")
"""Powertools' own switches: the first one has whole events printed and stack traces answered."""


class SettingsInvalid(ValueError):
    """A setting has a value nothing can run with: one line that begins with the setting's name."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name}: {problem}")
        self.name = name


class Issuer(NamedTuple):
    """Somebody whose tokens are accepted, and where the keys they sign with are found."""

    url: str
    jwks_url: str


class ClaimNames(NamedTuple):
    """Which claims of a token say who is asking: a claim's name, or a path to it with dots."""

    tenant: str
    user: str
    roles: str


class TokenSettings(NamedTuple):
    """Which tokens are accepted."""

    issuers: tuple[Issuer, ...]
    audience: str
    algorithms: tuple[str, ...]
    claims: ClaimNames


class Settings(NamedTuple):
    """Every setting of every function, checked."""

    stage: str
    table: str
    storage_deadline_ms: int
    """How long a request to the table may take, tries included, where somebody waits for the answer."""
    tenant_role_arn: str | None
    """The role that reads and writes the table, in a session of one tenant; None: each function's own."""
    finish_queue: str | None
    tenants: TenantMode
    allowed_origins: tuple[str, ...]
    intent_model: str | None
    """None: choose by the credentials at hand; empty: ask no model."""
    intent_deadline_ms: int
    clarify_below: float
    history: bool
    """Whether conversations are stored; a tenant's policy can only switch it off."""
    titles: str
    """How conversations get their titles: ``model``, by rule where there is none, or always by ``rule``."""
    summaries: str
    """How what drops out of the context is summed up; as ``titles``."""
    context_token_budget: int
    context_max_messages: int
    pace: Pace
    """What every tenant may have at most."""
    strong_models: tuple[str, ...] | None
    """Models that answer questions and execute runs, ids or aliases; None: every strong one there are
    credentials for; empty: none."""
    run_queue: str | None
    """Where runs wait to be executed: the URL of an SQS queue, or ``sqlite:///`` and a path."""
    retention_queue: str | None
    """Where what the retention function is asked to do waits: named like ``run_queue``."""
    run_timeout_s: int
    """After how long a run is stopped."""
    schedules: str | None
    """Where agents' schedules are kept: the name of an EventBridge Scheduler group, or ``sqlite:///`` and a
    path."""
    schedule_target_arn: str | None
    """The queue that schedules send to, and the role they send as; EventBridge Scheduler only."""
    schedule_role_arn: str | None
    schedule_dead_letters_arn: str | None
    """Where a schedule leaves what it can't send; EventBridge Scheduler only. None: nowhere, it is lost."""
    mail: str | None
    """How results are mailed: ``ses:`` and the sender's address, or ``file://`` and a folder; None: not at
    all."""
    tenant_secrets: str | None
    """Where tenants' secrets are: a prefix of names in Secrets Manager, or ``file://`` and a file."""
    tavily: bool
    """Whether a key for web search is in the environment."""
    search_url: str
    token_vocabulary: Path | None
    """The folder of tiktoken's vocabularies; None: token counts are estimates."""
    provider_secret_arn: str | None
    clock_file: Path | None
    openai: bool
    """Whether a key for OpenAI, or the address of a server that speaks its protocol, is at hand."""
    keyless: frozenset[str]
    """Vendors whose servers were named without a key; most that speak OpenAI's protocol want none."""
    own_server: bool
    """Whether the address of a server that speaks OpenAI's protocol is at hand; it has models of any name."""
    anthropic: bool
    bedrock: bool
    gemini: bool
    groq: bool
    ollama: bool
    log_level: str

    @property
    def storage_deadline_s(self) -> float:
        """The same in seconds."""
        return self.storage_deadline_ms / 1000

    @classmethod
    def load(cls, environ: Mapping[str, str] = os.environ) -> Settings:
        """The settings an environment holds; by default this process's.

        Raises:
            SettingsInvalid: for the first setting that can't be used.
        """
        read = _Reader(environ)
        stage = read.stage()
        return cls(
            stage=stage,
            table=read.required("OMNIFORGE_TABLE"),
            storage_deadline_ms=read.whole("OMNIFORGE_STORAGE_DEADLINE_MS", 900, low=100, high=60_000),
            tenant_role_arn=read.role_arn(),
            finish_queue=read.text("OMNIFORGE_FINISH_QUEUE"),
            tenants=read.tenants(),
            allowed_origins=read.origins(),
            intent_model=environ.get("OMNIFORGE_INTENT_MODEL"),
            intent_deadline_ms=read.whole("OMNIFORGE_INTENT_DEADLINE_MS", 800, low=50, high=20_000),
            clarify_below=read.share("OMNIFORGE_CLARIFY_BELOW", 0.7),
            history=read.one_of("OMNIFORGE_HISTORY", "on", ("on", "off")) == "on",
            titles=read.one_of("OMNIFORGE_TITLES", "model", ("model", "rule")),
            summaries=read.one_of("OMNIFORGE_SUMMARIES", "model", ("model", "rule")),
            context_token_budget=read.whole("OMNIFORGE_CONTEXT_TOKEN_BUDGET", 2_000, low=100, high=1_000_000),
            context_max_messages=read.whole("OMNIFORGE_CONTEXT_MAX_MESSAGES", 20, low=6, high=500),
            pace=read.pace(),
            strong_models=read.chosen("OMNIFORGE_STRONG_MODELS"),
            run_queue=read.text("OMNIFORGE_RUN_QUEUE"),
            retention_queue=read.text("OMNIFORGE_RETENTION_QUEUE"),
            run_timeout_s=read.whole("OMNIFORGE_RUN_TIMEOUT_S", 300, low=5, high=840),
            schedules=read.text("OMNIFORGE_SCHEDULES"),
            schedule_target_arn=read.text("OMNIFORGE_SCHEDULE_TARGET_ARN"),
            schedule_role_arn=read.text("OMNIFORGE_SCHEDULE_ROLE_ARN"),
            schedule_dead_letters_arn=read.text("OMNIFORGE_SCHEDULE_DEAD_LETTERS_ARN"),
            mail=read.mail(),
            tenant_secrets=read.text("OMNIFORGE_TENANT_SECRETS"),
            tavily=read.present("TAVILY_API_KEY"),
            search_url=read.text("OMNIFORGE_SEARCH_URL") or SEARCH_URL,
            token_vocabulary=read.path("TIKTOKEN_CACHE_DIR"),
            provider_secret_arn=read.secret_arn(),
            clock_file=read.clock_file(stage),
            openai=read.present("OPENAI_API_KEY") or read.present("OPENAI_BASE_URL"),
            keyless=read.keyless(),
            own_server=read.present("OPENAI_BASE_URL"),
            anthropic=read.present("ANTHROPIC_API_KEY"),
            bedrock=read.bedrock(),
            gemini=read.present("GEMINI_API_KEY"),
            groq=read.present("GROQ_API_KEY"),
            ollama=read.present("OLLAMA_API_BASE"),
            log_level=read.one_of("OMNIFORGE_LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR")),
        )


def search_key(environ: Mapping[str, str] = os.environ) -> str | None:
    """The key for web search that an environment holds. Read when it is needed: no value keeps a secret."""
    return environ.get("TAVILY_API_KEY", "").strip() or None


def process_environment() -> MutableMapping[str, str]:
    """The environment itself, for a runtime: it finds there what Lambda tells it, and leaves the trace id."""
    return os.environ


def load_token_settings(environ: Mapping[str, str] = os.environ) -> TokenSettings:
    """What the authorizer needs besides `Settings`: no other function is given these.

    Raises:
        SettingsInvalid: for the first setting that can't be used.
    """
    read = _Reader(environ)
    return TokenSettings(
        issuers=read.issuers(local=read.stage() == LOCAL),
        audience=read.required("OMNIFORGE_JWT_AUDIENCE"),
        algorithms=read.algorithms(),
        claims=ClaimNames(
            tenant=read.claim("OMNIFORGE_CLAIM_TENANT", "tenant"),
            user=read.claim("OMNIFORGE_CLAIM_USER", "sub"),
            roles=read.claim("OMNIFORGE_CLAIM_ROLES", "roles"),
        ),
    )


class _Reader:
    """One method per form a setting may have."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def text(self, name: str) -> str | None:
        return self._environ.get(name, "").strip() or None

    def keyless(self) -> frozenset[str]:
        is_named = self.present("OPENAI_BASE_URL") and not self.present("OPENAI_API_KEY")
        return frozenset({"openai"} if is_named else ())

    def present(self, name: str) -> bool:
        return self.text(name) is not None

    def bedrock(self) -> bool:
        # A function on AWS always has credentials; whether they open Bedrock it has to be told.
        told = self.text("OMNIFORGE_BEDROCK")
        if told is not None:
            return told.lower() in _TRUE
        return self.present("AWS_ACCESS_KEY_ID") or self.present("AWS_PROFILE")

    def required(self, name: str) -> str:
        value = self.text(name)
        if value is None:
            raise SettingsInvalid(name, "is needed and not set")
        return value

    def one_of(self, name: str, default: str, allowed: tuple[str, ...]) -> str:
        value = self.text(name) or default
        if value not in allowed:
            raise SettingsInvalid(name, f"must be one of {', '.join(allowed)}")
        return value

    def whole(self, name: str, default: int, *, low: int, high: int) -> int:
        text = self.text(name) or str(default)
        if not re.fullmatch(r"-?[0-9]{1,13}", text) or not low <= int(text) <= high:
            raise SettingsInvalid(name, f"must be a whole number between {low} and {high}")
        return int(text)

    def pace(self) -> Pace:
        usual = Pace()
        return Pace(
            turns_per_minute=self.whole(
                "OMNIFORGE_TURNS_PER_MINUTE", usual.turns_per_minute, low=1, high=60_000
            ),
            burst=self.whole("OMNIFORGE_TURNS_BURST", usual.burst, low=1, high=10_000),
            turns_at_once=self.whole("OMNIFORGE_TURNS_AT_ONCE", usual.turns_at_once, low=1, high=1_000),
            bytes_per_day=self.whole("OMNIFORGE_BYTES_PER_DAY", usual.bytes_per_day, low=1, high=10**12),
        )

    def share(self, name: str, default: float) -> float:
        text = self.text(name) or str(default)
        if not re.fullmatch(r"[01](\.[0-9]{1,12})?", text) or float(text) > 1:
            raise SettingsInvalid(name, "must be a number between 0 and 1")
        return float(text)

    def chosen(self, name: str) -> tuple[str, ...] | None:
        return self.items(name) if name in self._environ else None

    def mail(self) -> str | None:
        text = self.text("OMNIFORGE_MAIL")
        if text is not None and not re.fullmatch(r"ses:[^\s@]+@[^\s@]+|file://\S+", text):
            raise SettingsInvalid(
                "OMNIFORGE_MAIL", "must be ses: and an address, or file:// and a folder (in the local twin)"
            )
        return text

    def items(self, name: str) -> tuple[str, ...]:
        parts = (part.strip() for part in self._environ.get(name, "").split(","))
        return tuple(part for part in parts if part)

    def stage(self) -> str:
        value = self.text("OMNIFORGE_STAGE") or PRODUCTION
        if not _STAGE.fullmatch(value):
            raise SettingsInvalid("OMNIFORGE_STAGE", "must be lower-case letters, digits and hyphens")
        for name in _FOR_DEVELOPMENT:
            if value == PRODUCTION and self._environ.get(name, "").lower() in _TRUE:
                raise SettingsInvalid(name, f"must not be on in stage {PRODUCTION}")
        return value

    def tenants(self) -> TenantMode:
        value = self.text("OMNIFORGE_TENANTS") or "registered"
        if value == "open":
            return "open"
        if value == "registered":
            return "registered"
        raise SettingsInvalid("OMNIFORGE_TENANTS", "must be one of open, registered")

    def origins(self) -> tuple[str, ...]:
        origins = self.items("OMNIFORGE_ALLOWED_ORIGINS")
        for origin in origins:
            parts = urlsplit(origin)
            if origin != "*" and (
                parts.scheme not in {"http", "https"} or origin != f"{parts.scheme}://{parts.netloc}"
            ):
                raise SettingsInvalid(
                    "OMNIFORGE_ALLOWED_ORIGINS", "must be * or origins such as https://app.example.com"
                )
        return origins

    def secret_arn(self) -> str | None:
        arn = self.text("OMNIFORGE_PROVIDER_SECRET_ARN")
        if arn is not None and not re.fullmatch(
            r"arn:[a-z-]+:secretsmanager:[a-z0-9-]+:\d{12}:secret:\S+", arn
        ):
            raise SettingsInvalid(
                "OMNIFORGE_PROVIDER_SECRET_ARN", "must be the ARN of a Secrets Manager secret"
            )
        return arn

    def role_arn(self) -> str | None:
        arn = self.text("OMNIFORGE_TENANT_ROLE_ARN")
        if arn is not None and not re.fullmatch(r"arn:[a-z-]+:iam::\d{12}:role/\S+", arn):
            raise SettingsInvalid("OMNIFORGE_TENANT_ROLE_ARN", "must be the ARN of an IAM role")
        return arn

    def path(self, name: str) -> Path | None:
        text = self.text(name)
        return Path(text) if text is not None else None

    def clock_file(self, stage: str) -> Path | None:
        path = self.path("OMNIFORGE_CLOCK_FILE")
        if path is not None and stage == PRODUCTION:
            raise SettingsInvalid("OMNIFORGE_CLOCK_FILE", f"must not be set in stage {PRODUCTION}")
        return path

    def claim(self, name: str, default: str) -> str:
        value = self.text(name) or default
        if not _CLAIM.fullmatch(value):
            raise SettingsInvalid(name, "must be the name of a claim")
        return value

    def algorithms(self) -> tuple[str, ...]:
        values = self.items("OMNIFORGE_JWT_ALGORITHMS") or ALGORITHMS
        if not set(values) <= set(ALGORITHMS):
            raise SettingsInvalid("OMNIFORGE_JWT_ALGORITHMS", f"must be some of {', '.join(ALGORITHMS)}")
        return values

    def issuers(self, *, local: bool) -> tuple[Issuer, ...]:
        urls = self.items("OMNIFORGE_JWT_ISSUERS")
        if not urls:
            raise SettingsInvalid("OMNIFORGE_JWT_ISSUERS", "is needed and not set")
        jwks = self.items("OMNIFORGE_JWT_JWKS_URLS") or tuple(
            f"{url.rstrip('/')}/.well-known/jwks.json" for url in urls
        )
        if len(jwks) != len(urls):
            raise SettingsInvalid(
                "OMNIFORGE_JWT_JWKS_URLS", "must name one address per issuer, in their order"
            )
        for name, addresses in (("OMNIFORGE_JWT_ISSUERS", urls), ("OMNIFORGE_JWT_JWKS_URLS", jwks)):
            for address in addresses:
                _check_address(name, address, local=local)
        return tuple(Issuer(url, keys) for url, keys in zip(urls, jwks, strict=True))


def _check_address(name: str, address: str, *, local: bool) -> None:
    parts = urlsplit(address)
    plain = parts.scheme == "http" and local and parts.hostname in _LOOPBACK
    if not parts.hostname or not (parts.scheme == "https" or plain):
        raise SettingsInvalid(
            name, "must begin with https:// (http:// only for this machine, in stage local)"
        )
