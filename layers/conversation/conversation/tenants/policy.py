"""A tenant's policy as a value. `conversation.tenants.store` reads and changes it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, StringConstraints, field_validator

from conversation.tenants.brand import Brand


class TenantStatus(StrEnum):
    """Whether the tenant's users may use the service."""

    ACTIVE = "active"
    SUSPENDED = "suspended"
    ERASING = "erasing"
    """All its data is being removed."""
    ERASED = "erased"
    """Only this record is left, for as long as late writes could arrive."""


def _per_day(what: str) -> Any:
    return Field(default=None, ge=0, le=1_000_000, description=f"{what} in a UTC day")


class DailyCaps(BaseModel):
    """How much of each kind may be made or started in a UTC day; null: what the deployment allows."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", strict=True)

    runs: int | None = _per_day("runs started, on request or by a schedule,")
    forks: int | None = _per_day("forks of conversations")
    imports: int | None = _per_day("imported conversations")
    exports: int | None = _per_day("pages of exports")
    skill_checks: int | None = _per_day("checks of skills")
    checks: int | None = _per_day("scheduled checks of web addresses")
    agents: int | None = _per_day("new agents")
    skills: int | None = _per_day("new skills")
    tasks: int | None = _per_day("new tasks")
    conversations: int | None = _per_day("conversations begun without a message")
    erasures: int | None = _per_day("requested erasures")
    attachments: int | None = _per_day("attachments")


class Caps(BaseModel):
    """The limits that operators and the tenant's admins can both set; null: what the deployment allows."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", strict=True)

    turns_per_minute: int | None = Field(
        default=None, ge=1, le=60_000, description="messages of all users together, in the long run"
    )
    burst: int | None = Field(
        default=None, ge=1, le=10_000, description="messages that may come at once after a quiet time"
    )
    turns_at_once: int | None = Field(
        default=None, ge=1, le=1_000, description="messages of one user being answered or waiting for it"
    )
    bytes_per_day: int | None = Field(
        default=None, ge=1, le=10**12, description="of stored messages and answers, in a UTC day"
    )
    bytes_per_user_per_day: int | None = Field(
        default=None, ge=1, le=10**12, description="the same, of one user"
    )
    runs_at_once: int | None = Field(
        default=None, ge=1, le=1_000, description="runs of all users being executed at the same time"
    )
    agents: int | None = Field(default=None, ge=1, le=10_000, description="agents of all users together")
    skills: int | None = Field(default=None, ge=1, le=1_000, description="skills of all users together")
    skills_per_user: int | None = Field(default=None, ge=1, le=1_000, description="skills of one user")
    per_day: DailyCaps = Field(default_factory=DailyCaps, description="of all users together")
    per_user_per_day: DailyCaps = Field(default_factory=DailyCaps, description="of one user")


class Grant(Caps):
    """Limits that operators set for a tenant, above or below the deployment's; null: the deployment's."""

    usd_per_day: float | None = Field(
        default=None,
        ge=0,
        le=1_000_000,
        allow_inf_nan=False,
        description="the most that the tenant's models may cost in a UTC day, whatever its own budget says",
    )
    usd_per_month: float | None = Field(
        default=None,
        ge=0,
        le=1_000_000,
        allow_inf_nan=False,
        description="the same in a calendar month (UTC); null: no cap on a month",
    )

    def changed_by(self, change: Grant) -> Grant:
        """The grant with the values that were given to ``change``; null takes one back."""
        values = self.model_dump()
        _merge(values, change.model_dump(exclude_unset=True))
        return Grant.model_validate(values)


class Limits(Caps):
    """Limits that the tenant sets for itself and its users; null, and the most in any case: what the
    deployment allows.
    """

    agents_per_user: int = Field(default=50, ge=1, le=1_000)


def _usd(of: str) -> Any:
    return Field(
        default=None,
        ge=0,
        le=1_000_000,
        allow_inf_nan=False,
        description=f"{of}; once it is spent, models are not asked; null: no cap",
    )


class Budget(BaseModel):
    """The caps on the cost of the tenant's models. Each that is set holds."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", strict=True)

    usd_per_day: float | None = _usd("of all users together, in a UTC day")
    usd_per_month: float | None = _usd("of all users together, in a calendar month (UTC)")
    usd_per_user_per_day: float | None = _usd("of each user, in a UTC day")
    usd_per_user_per_month: float | None = _usd("of each user, in a calendar month (UTC)")

    @property
    def limits_all(self) -> bool:
        """Whether there is a cap on what all users together spend."""
        return self.usd_per_day is not None or self.usd_per_month is not None

    @property
    def allows_nothing(self) -> bool:
        """Whether no model that costs anything may be asked."""
        return 0 in (
            self.usd_per_day, self.usd_per_month, self.usd_per_user_per_day, self.usd_per_user_per_month
        )  # fmt: skip


ANY_HOST = "*"
AllowedHost = Annotated[
    str, StringConstraints(max_length=253, pattern=r"^(\*|[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*)$")
]
"""A host or domain, which stands for those below it, too; ``*``: any."""


class EarlierRetention(BaseModel):
    """The longer retention that a shorter one replaced, and that still counts for a while."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    until: datetime
    active_days: int
    archived_days: int
    deleted_days: int
    legal_hold: bool = Field(default=False, description="the workspace was on legal hold")


class TenantPolicy(BaseModel):
    """A tenant's settings for its users; a tenant without a policy gets the default of every field."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", strict=True)

    _earlier_retention: EarlierRetention | None = PrivateAttr(default=None)

    retention_days: int = Field(
        default=30, ge=1, le=3_650, description="days since the last activity a conversation is kept"
    )
    archived_retention_days: int | None = Field(
        default=None, ge=1, le=3_650, description="the same for archived ones; None: as for all others"
    )
    deleted_grace_days: int = Field(
        default=7, ge=0, le=3_650, description="days a deleted conversation can be restored"
    )
    legal_hold: bool = Field(
        default=False, description="nothing expires and nothing is removed until this is taken back"
    )
    admin_content_access: bool = Field(
        default=False, description="admins may read what users said; every time it is written down"
    )
    allowed_models: tuple[str, ...] | None = Field(
        default=None, description="model names; None: all this deployment has", strict=False
    )
    allowed_mail_domains: tuple[AllowedHost, ...] | None = Field(
        default=None,
        max_length=100,
        description="domains that results may be mailed to, with those below them; `*`: any; null: each"
        " user's own, and what the deployment allows",
        strict=False,
    )
    other_mail_recipients: Literal["verified", "refused"] = Field(
        default="verified",
        description="mail addresses outside these domains: `verified`: get results once they confirmed by a"
        " code that is mailed to them; `refused`: never. Where no domain is allowed (`[]`), always refused",
    )
    allowed_hook_hosts: tuple[AllowedHost, ...] | None = Field(
        default=None,
        max_length=100,
        description="hosts that results may be posted to, Slack's among them; as for mail",
        strict=False,
    )
    history: Literal["on", "off"] = Field(
        default="on", description="off: what is said is not stored, clients bring it along"
    )
    attachment_types: tuple[Annotated[str, StringConstraints(max_length=64)], ...] | None = Field(
        default=None,
        max_length=32,
        description="media types of files that users may send; None: all this deployment takes; `[]`: none",
        strict=False,
    )
    attachment_bytes: int | None = Field(
        default=None,
        ge=1,
        le=1024 * 1024 * 1024,
        description="bytes that a file may have; None: as many as this deployment allows, which is the most",
    )
    redaction: Literal["mark", "store"] = Field(
        default="mark",
        description="of secrets and personal data in messages: `mark` says which there are; `store` takes"
        " them out before a message is stored or sent to a model",
    )
    limits: Limits = Field(default_factory=Limits)
    budget: Budget = Field(default_factory=Budget)
    language: str = Field(default="en", pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$", description="BCP 47")
    time_zone: str = Field(
        default="UTC", description="IANA name, for users whose token and request name none"
    )
    assistant_name: str = Field(default="OmniForge", min_length=1, max_length=64)
    brand: Brand = Field(default_factory=Brand)
    tone: str = Field(default="friendly", max_length=64)
    instructions: str = Field(
        default="", max_length=2_000, description="added to every model prompt of the tenant"
    )

    def changed_by(self, change: TenantPolicy) -> TenantPolicy:
        """The policy with the values that were given to ``change``, in `limits`, `budget` and `brand` too.

        The defaults of ``change`` do not count.
        """
        values = self.model_dump()
        _merge(values, change.model_dump(exclude_unset=True))
        return TenantPolicy.model_validate(values)

    @property
    def archived_days(self) -> int:
        """How many days archived conversations are kept."""
        return self.archived_retention_days or self.retention_days

    @property
    def deleted_days(self) -> int:
        """How many days deleted conversations are kept: never longer than active ones."""
        return min(self.deleted_grace_days, self.retention_days)

    @property
    def earlier_retention(self) -> EarlierRetention | None:
        """The longer retention that counts beside this one until its end; None: there is none. It belongs to
        the stored policy, so no request can set it.
        """
        return self._earlier_retention

    def with_earlier_retention(self, earlier: EarlierRetention | None) -> TenantPolicy:
        """The same policy with this earlier retention."""
        policy = self.model_copy()
        policy._earlier_retention = earlier  # noqa: SLF001 - its own class
        return policy

    @property
    def model_allowlist(self) -> frozenset[str] | None:
        """`allowed_models` as a set; None: all this deployment has."""
        return None if self.allowed_models is None else frozenset(self.allowed_models)

    @property
    def masks_secrets(self) -> bool:
        """Whether secrets are removed before anything is stored or sent to a model."""
        return self.redaction == "store"

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        return validate_time_zone(name)


def _merge(values: dict[str, Any], given: dict[str, Any]) -> None:
    for name, value in given.items():
        if isinstance(value, dict):
            _merge(values[name], value)
        else:
            values[name] = value


def validate_time_zone(name: str) -> str:
    """The name, when it is in the IANA database.

    Raises:
        ValueError: otherwise, without quoting the name.
    """
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as unknown:
        # Python raises an OSError for a folder of the database.
        raise ValueError("not a time zone of the IANA database") from unknown
    return name
