"""A tenant's policy as a value. Reading and changing it is `conversation.tenants`' business."""

from __future__ import annotations

from enum import StrEnum
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, field_validator


class TenantStatus(StrEnum):
    """Whether the tenant's users may use the service."""

    ACTIVE = "active"
    SUSPENDED = "suspended"


class Limits(BaseModel):
    """How much one user of the tenant may have."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    agents_per_user: int = Field(default=50, ge=1, le=1_000)


class TenantPolicy(BaseModel):
    """What a tenant decides for its users; every field has the default a tenant without a policy gets."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", strict=True)

    retention_days: int = Field(
        default=30, ge=1, le=3_650, description="days since the last activity a conversation is kept"
    )
    allowed_models: tuple[str, ...] | None = Field(
        default=None, description="model names; None: all this deployment has", strict=False
    )
    limits: Limits = Field(default_factory=Limits)
    language: str = Field(default="en", pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$", description="BCP 47")
    time_zone: str = Field(
        default="UTC", description="IANA name, for users whose token and request name none"
    )
    assistant_name: str = Field(default="OmniForge", min_length=1, max_length=64)
    tone: str = Field(default="friendly", max_length=64)
    instructions: str = Field(
        default="", max_length=2_000, description="added to every model prompt of the tenant"
    )

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        return known_time_zone(name)


def known_time_zone(name: str) -> str:
    """The name, when the IANA database has it.

    Raises:
        ValueError: otherwise, without quoting the name.
    """
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as unknown:
        # Python answers a folder of the database with an OSError.
        raise ValueError("not a time zone of the IANA database") from unknown
    return name
