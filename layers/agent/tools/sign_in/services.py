"""The catalogue of known MCP servers that users sign in to: data, in ``services.json``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

_FILE = Path(__file__).with_name("services.json")


class KnownService(BaseModel):
    """A vendor's own MCP server."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(description="a slug; also the name of the skill that it becomes")
    title: str = Field(description="as people call it")
    url: str
    serves: tuple[str, ...] = Field(description="the services that count as connected by it, in lower case")
    scope: str | None = Field(default=None, description="what to ask for; None: what the server says")
    parameters: Mapping[str, str] = Field(
        default_factory=dict, description="what its authorization endpoint wants beside OAuth's parameters"
    )
    client: str | None = Field(
        default=None, description="where a client has to be registered by hand; None: the server registers us"
    )

    @property
    def client_secret(self) -> str:
        """The name of the tenant's secret that holds the client: its id and secret, as JSON."""
        return f"{self.name}-client"


@cache
def known_services() -> tuple[KnownService, ...]:
    """Returns the catalogue, in its order."""
    return TypeAdapter(tuple[KnownService, ...]).validate_json(_FILE.read_bytes())


def find_service(name: str) -> KnownService | None:
    """Returns the known server of this name, or that serves a service of this name."""
    wanted = name.strip().lower()
    return next((one for one in known_services() if wanted == one.name or wanted in one.serves), None)


def service_at(url: str) -> KnownService | None:
    """Returns the known server at exactly this address."""
    return next((one for one in known_services() if one.url == url), None)
