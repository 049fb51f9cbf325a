"""The store of tenants' secrets that administrators hand over, such as the key of a skill's server.

A value is sealed under the tenant's key and can't be read back: callers get its name, and when and by whom
it was stored. Secrets that operators keep elsewhere are found by the same names, after those stored here.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Protocol

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from agent.connections.errors import SecretInvalid, SecretLimitReached, SecretNotFound, SecretsUnavailable
from agent.connections.sealing import Sealer
from conversation.clock import Clock, from_text, to_text
from conversation.identity import Caller
from conversation.tenants.audit import Act, AuditLog
from storage import keys
from storage.errors import TransactionRefused
from storage.keys import TenantId
from storage.table import Delete, Exists, Item, Put, Query, query_pages
from storage.tenant_table import Tables
from tools.errors import ToolError

LOG = logging.getLogger("omniforge.connections")
MAX_SECRETS = 200
MAX_SECRET_CHARACTERS = 8_000


class SecretValue(BaseModel):
    """A secret to store. Its value is never returned, and neither logged nor audited."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    value: Annotated[SecretStr, Field(min_length=1, max_length=MAX_SECRET_CHARACTERS)] = Field(
        description="the key, token or password, in printable ASCII; blanks around it are left out"
    )


class StoredSecret(BaseModel):
    """A secret that an administrator stored, without its value."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    name: str
    set_at: datetime
    set_by: str | None = Field(description="who stored it; null: a user whose data was erased")


class OtherSecrets(Protocol):
    """The secrets that operators keep for tenants."""

    def get(self, tenant: TenantId, name: str) -> str | None:
        """The tenant's secret of this name; None when there is none, or it can't be read now."""


class SecretStore:
    """Lists, stores, removes and opens secrets; safe to use from several threads."""

    def __init__(self, *, tables: Tables, sealer: Sealer, others: OtherSecrets, clock: Clock) -> None:
        """``others``: where a name is looked up that is not stored here."""
        self._tables = tables
        self._sealer = sealer
        self._others = others
        self._clock = clock
        self._audit = AuditLog(tables=tables, clock=clock)

    def list(self, tenant: TenantId) -> Sequence[StoredSecret]:
        """Returns the secrets that were stored here, by name."""
        query = Query(keys.tenant_secrets(tenant), MAX_SECRETS)
        pages = query_pages(self._tables.for_tenant(tenant), query)
        return [_secret_from_item(item) for page in pages for item in page.items]

    def put(self, caller: Caller, name: str, secret: SecretValue) -> StoredSecret:
        """Stores a secret of the caller's tenant, replacing an earlier one of this name.

        Raises:
            SecretInvalid: no secret may have this name; or the value is blank, or has a character that is no
                printable ASCII.
            SecretLimitReached: the tenant has as many secrets as may be.
            SecretsUnavailable: the tenant's key can't be read now.
        """
        if not keys.is_secret_name(name):
            raise SecretInvalid("A secret's name is lower-case letters, digits, - and _, at most 64 of them.")
        value = secret.value.get_secret_value().strip()
        # No header of a request to a skill's server could carry anything else.
        if not value or not value.isascii() or not value.isprintable():
            raise SecretInvalid("A secret is one line of printable ASCII characters.")
        known = {each.name for each in self.list(caller.tenant)}
        if name not in known and len(known) >= MAX_SECRETS:
            raise SecretLimitReached(MAX_SECRETS)
        place = keys.tenant_secret(caller.tenant, name)
        try:
            sealed = self._sealer.seal(caller.tenant, place, value)
        except ToolError:
            raise SecretsUnavailable from None
        stored = StoredSecret(name=name, set_at=self._clock.now(), set_by=caller.user)
        item: Item = {
            "pk": place.partition,
            "sk": place.sort,
            "sealed": sealed,
            "set_at": to_text(stored.set_at),
            "set_by": caller.user,
        }
        told = {"replaced": name in known}
        recorded = self._audit.build_record(caller, Act.SECRET_STORED, name, after=told)
        self._tables.for_tenant(caller.tenant).transact((Put(item), recorded))
        return stored

    def remove(self, caller: Caller, name: str) -> None:
        """Removes a secret that was stored here.

        Raises:
            SecretNotFound: there is none of this name.
        """
        key = keys.tenant_secret(caller.tenant, name)
        recorded = self._audit.build_record(caller, Act.SECRET_REMOVED, name)
        try:
            self._tables.for_tenant(caller.tenant).transact((Delete(key, (Exists(),)), recorded))
        except TransactionRefused:
            raise SecretNotFound from None

    def get(self, tenant: TenantId, name: str) -> str | None:
        """Returns the tenant's secret of this name; None when there is none, or it can't be read now."""
        key = keys.tenant_secret(tenant, name)
        item = self._tables.for_tenant(tenant).get(key)
        if item is None:
            return self._others.get(tenant, name)
        try:
            return self._sealer.open(tenant, key, str(item["sealed"]))
        except ToolError as error:
            LOG.warning("tenant secret unreadable", extra={"code": error.code})
            return None


def _secret_from_item(item: Item) -> StoredSecret:
    return StoredSecret(
        name=str(item["sk"]).removeprefix(keys.SECRET_PREFIX),
        set_at=from_text(str(item["set_at"])),
        set_by=str(item["set_by"]) if "set_by" in item else None,
    )
