"""The model of a check: a web address, and what is expected of it.

`agent.checks.check_phrases` reads one from words, `agent.checks.observation` carries it out.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Self, assert_never

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

from tools.outbound.urls import MAX_URL_CHARACTERS

MAX_TEXT_CHARACTERS = 200
DEFAULT_DAYS = 14
"""How long before a certificate expires that is told."""


class Expectation(StrEnum):
    """What is expected of the address."""

    REACHABLE = "reachable"
    STATUS = "status"
    CONTAINS = "contains"
    LACKS = "lacks"
    UNCHANGED = "unchanged"
    CERTIFICATE = "certificate"


def _validate_url(url: str) -> str:
    """`tools.outbound` decides whether anything is requested from there, when it is set up and later."""
    if not url.lower().startswith(("http://", "https://")):
        raise ValueError("a check needs the address of a web page, such as https://example.com")
    return url


WatchedUrl = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=MAX_URL_CHARACTERS),
    AfterValidator(_validate_url),
]
WatchedText = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_TEXT_CHARACTERS)
]


class Check(BaseModel):
    """A check of a web address. Each further field belongs to one expectation."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    url: WatchedUrl = Field(description="the address it requests")
    expect: Expectation = Field(default=Expectation.REACHABLE, description="what it expects of the address")
    status: int | None = Field(
        default=None, ge=100, le=599, description="for status: the HTTP status that it expects"
    )
    text: WatchedText | None = Field(
        default=None, description="for contains and lacks: the text, in any case and spacing"
    )
    days: int | None = Field(
        default=None, ge=1, le=365, description="for certificate: days before its end; null: 14"
    )

    @model_validator(mode="after")
    def _fits_expectation(self) -> Self:
        has_text = self.expect in (Expectation.CONTAINS, Expectation.LACKS)
        if (self.text is not None) != has_text:
            raise ValueError("a text belongs to the expectations contains and lacks")
        if (self.status is not None) != (self.expect is Expectation.STATUS):
            raise ValueError("a status belongs to the expectation status")
        if self.days is not None and self.expect is not Expectation.CERTIFICATE:
            raise ValueError("days belong to the expectation certificate")
        if self.expect is Expectation.CERTIFICATE and not self.url.lower().startswith("https://"):
            raise ValueError("only an address with https has a certificate")
        return self

    @property
    def host(self) -> str:
        """The host of the address, as it was written."""
        return self.url.partition("://")[2].partition("/")[0].partition("?")[0]

    @property
    def days_before(self) -> int:
        """How many days before the certificate expires that is told."""
        return self.days or DEFAULT_DAYS

    def suggest_name(self) -> str:
        """Returns a name for an agent that makes this check: ``acme.test watch``."""
        suffix = "certificate" if self.expect is Expectation.CERTIFICATE else "watch"
        return f"{self.host.removeprefix('www.')} {suffix}"

    def describe(self) -> str:
        """Returns what is checked, as an indirect question: ``whether https://acme.test is up``."""
        match self.expect:
            case Expectation.REACHABLE:
                return f"whether {self.url} is up"
            case Expectation.STATUS:
                return f"whether {self.url} answers HTTP {self.status}"
            case Expectation.CONTAINS:
                return f'whether {self.url} still says "{self.text}"'
            case Expectation.LACKS:
                return f'whether {self.url} says "{self.text}"'
            case Expectation.UNCHANGED:
                return f"whether {self.url} changes"
            case Expectation.CERTIFICATE:
                return f"whether the certificate of {self.host} expires within {self.days_before} days"
            case _:
                assert_never(self.expect)
