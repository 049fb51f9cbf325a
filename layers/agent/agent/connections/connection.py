"""Models of connections: a sign-in at the server of a skill, of one user or of a whole tenant.

The tokens are sealed (`agent.connections.sealing`); nothing here can read them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import cast

from pydantic import BaseModel, ConfigDict

from conversation.clock import from_text, to_text
from storage import keys
from storage.keys import TenantId
from storage.table import Item

EVERYBODY = ""
"""Stands for the user of a connection that belongs to the whole tenant."""


class SignInScope(StrEnum):
    """Whose sign-in a skill is called with."""

    USER = "user"
    WORKSPACE = "workspace"


class ConnectionCard(BaseModel):
    """The short form of a connection, which every turn of the tenant reads."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    skill_id: str
    user: str
    url: str
    """Where the tokens may be sent."""
    works: bool = True
    """Whether the server still accepts it, as far as known; if not, somebody has to sign in again."""


@dataclass(frozen=True, slots=True)
class Connection:
    """A stored connection."""

    skill_id: str
    user: str
    url: str
    sealed: str
    """The `tools.sign_in.grant.Grant`."""
    version: int
    connected_at: datetime
    works: bool = True
    renewed_until: str | None = None
    """Until when somebody renews the tokens; None: nobody does."""

    def card(self) -> ConnectionCard:
        """Returns the short form."""
        return ConnectionCard(skill_id=self.skill_id, user=self.user, url=self.url, works=self.works)


def owner_of(scope: SignInScope, user: str) -> str:
    """Returns whose connection a skill of this scope uses when it works for the user."""
    return EVERYBODY if scope is SignInScope.WORKSPACE else user


def connection_to_item(tenant: TenantId, connection: Connection) -> Item:
    """Converts a connection to its full item."""
    key = keys.connection(tenant, connection.user, connection.skill_id)
    return {
        "pk": key.partition,
        "sk": key.sort,
        "url": connection.url,
        "sealed": connection.sealed,
        "version": connection.version,
        "connected_at": to_text(connection.connected_at),
        "works": connection.works,
    }


def connection_from_item(item: Item, *, user: str) -> Connection:
    """Reverses `connection_to_item`."""
    return Connection(
        skill_id=str(item["sk"]).removeprefix(keys.CONNECTION_PREFIX),
        user=user,
        url=str(item["url"]),
        sealed=str(item["sealed"]),
        version=cast("int", item["version"]),
        connected_at=from_text(str(item["connected_at"])),
        works=bool(item["works"]),
        renewed_until=str(item[RENEWED_UNTIL]) if RENEWED_UNTIL in item else None,
    )


RENEWED_UNTIL = "renewed_until"


def connection_card_to_item(tenant: TenantId, card: ConnectionCard) -> Item:
    """Converts a card to its item."""
    key = keys.connection_card(tenant, card.user, card.skill_id)
    return {"pk": key.partition, "sk": key.sort, "url": card.url, "works": card.works}


def connection_card_from_item(item: Item) -> ConnectionCard:
    """Reverses `connection_card_to_item`."""
    sort = str(item["sk"])
    return ConnectionCard(
        skill_id=sort.rpartition("#")[2],
        user=keys.user_of_card(sort),
        url=str(item["url"]),
        works=bool(item["works"]),
    )
