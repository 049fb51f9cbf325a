"""The store of connections and of sign-ins under way.

Of each connection there is a full item with the sealed tokens, and a card in the partition of the tenant's
policy; the two are written in one transaction. A sign-in is stored for ten minutes and can be taken once.
"""

from __future__ import annotations

import secrets as randomness
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from hmac import compare_digest
from typing import NamedTuple

from agent.connections.connection import (
    RENEWED_UNTIL,
    Connection,
    ConnectionCard,
    connection_card_from_item,
    connection_card_to_item,
    connection_from_item,
    connection_to_item,
)
from conversation.clock import Clock, to_text
from storage import keys
from storage.errors import ConditionRefused, TransactionRefused
from storage.keys import TenantId
from storage.table import (
    Action,
    AnyOf,
    AtMost,
    Delete,
    Equals,
    Exists,
    NotExists,
    Put,
    Query,
    Remove,
    Set,
    Update,
    query_pages,
)
from storage.tenant_table import Tables

SIGN_IN_VALID_FOR = timedelta(minutes=10)
RENEWAL_TAKES = timedelta(seconds=30)
_PAGE = 100


class StoredSignIn(NamedTuple):
    """A sign-in under way: for which skill and whom, and the sealed rest."""

    skill_id: str
    connection_user: str
    url: str
    sealed: str


class ConnectionStore:
    """Reads and writes connections; safe to use from several threads. Reads are strongly consistent."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock

    def find(self, tenant: TenantId, user: str, skill_id: str) -> Connection | None:
        """Returns the connection of a user, or of everybody (`EVERYBODY`)."""
        item = self._tables.for_tenant(tenant).get(keys.connection(tenant, user, skill_id))
        return None if item is None else connection_from_item(item, user=user)

    def cards(self, tenant: TenantId) -> tuple[ConnectionCard, ...]:
        """Returns the cards of all the tenant's connections."""
        query = Query(keys.workspace(tenant), _PAGE, prefix=keys.CONNECTION_PREFIX)
        pages = query_pages(self._tables.for_tenant(tenant), query)
        return tuple(connection_card_from_item(item) for page in pages for item in page.items)

    def save(
        self, tenant: TenantId, connection: Connection, *, by: str, extra_actions: Sequence[Action] = ()
    ) -> None:
        """Stores a new connection, replacing an earlier one; ``by`` is the user who signed in.

        Raises:
            TransactionRefused: one of the ``extra_actions`` was refused.
        """
        member = keys.member(tenant, by)
        self._tables.for_tenant(tenant).transact(
            (
                Put(connection_to_item(tenant, connection)),
                Put(connection_card_to_item(tenant, connection.card())),
                Put({"pk": member.partition, "sk": member.sort}),
                *extra_actions,
            )
        )

    def remove(
        self, tenant: TenantId, connection: ConnectionCard | Connection, extra_actions: Sequence[Action] = ()
    ) -> None:
        """Removes a connection; removing an absent one changes nothing."""
        user, skill_id = connection.user, connection.skill_id
        self._tables.for_tenant(tenant).transact(
            (
                Delete(keys.connection(tenant, user, skill_id)),
                Delete(keys.connection_card(tenant, user, skill_id)),
                *extra_actions,
            )
        )

    def claim_renewal(self, tenant: TenantId, connection: Connection) -> bool:
        """Whether the caller alone may renew the tokens now; not while another one does, or after it."""
        now = self._clock.now()
        is_free = AnyOf(((NotExists(RENEWED_UNTIL),), (AtMost(RENEWED_UNTIL, to_text(now)),)))
        update = Update(
            keys.connection(tenant, connection.user, connection.skill_id),
            (Set(RENEWED_UNTIL, to_text(now + RENEWAL_TAKES)),),
            (Equals("version", connection.version), is_free),
        )
        try:
            self._tables.for_tenant(tenant).update(update)
        except ConditionRefused:
            return False
        return True

    def keep_renewed(self, tenant: TenantId, connection: Connection, sealed: str) -> None:
        """Stores renewed tokens and ends the claim, unless the user signed in or out meanwhile."""
        self._change(tenant, connection, Set("sealed", sealed))

    def release(self, tenant: TenantId, connection: Connection) -> None:
        """Ends the claim without new tokens, so that the next one may try again."""
        update = Update(
            keys.connection(tenant, connection.user, connection.skill_id),
            (Remove(RENEWED_UNTIL),),
            (Equals("version", connection.version),),
        )
        try:
            self._tables.for_tenant(tenant).update(update)
        except ConditionRefused:
            return

    def mark_refused(self, tenant: TenantId, connection: Connection) -> None:
        """Notes that the server accepts the sign-in no more, unless the user signed in or out meanwhile."""
        broken = replace(connection, works=False)
        card = Put(connection_card_to_item(tenant, broken.card()), (Exists(),))
        self._change(tenant, connection, Set("works", value=False), card)

    def _change(self, tenant: TenantId, old: Connection, change: Set, *more: Action) -> None:
        changes = (change, Set("version", old.version + 1), Remove(RENEWED_UNTIL))
        key = keys.connection(tenant, old.user, old.skill_id)
        try:
            self._tables.for_tenant(tenant).transact(
                (Update(key, changes, (Equals("version", old.version),)), *more)
            )
        except TransactionRefused:
            return

    def keep_sign_in(self, tenant: TenantId, user: str, state: str, browser: str, held: StoredSignIn) -> None:
        """Stores a sign-in that has begun; only ``browser``, a secret of one browser, can finish it."""
        key = keys.sign_in(tenant, user, digest(state))
        self._tables.for_tenant(tenant).put(
            Put(
                {
                    "pk": key.partition,
                    "sk": key.sort,
                    "skill_id": held.skill_id,
                    "connection_user": held.connection_user,
                    "url": held.url,
                    "sealed": held.sealed,
                    "browser": digest(browser),
                    "expires_at": int((self._clock.now() + SIGN_IN_VALID_FOR).timestamp()),
                },
                (NotExists(),),
            )
        )

    def take_sign_in(self, tenant: TenantId, user: str, state: str, browser: str) -> StoredSignIn | None:
        """Removes the sign-in and returns it; None: there is none of this state and browser any more."""
        key = keys.sign_in(tenant, user, digest(state))
        table = self._tables.for_tenant(tenant)
        item = table.get(key)
        if item is None or not compare_digest(str(item["browser"]), digest(browser)):
            return None
        try:
            table.delete(Delete(key, (Exists(),)))
        except ConditionRefused:
            return None
        if int(str(item["expires_at"])) < self._clock.now().timestamp():
            return None
        fields = {name: str(item[name]) for name in StoredSignIn._fields}
        return StoredSignIn(**fields)


def new_secret() -> str:
    """Returns 32 random bytes as text, for a state or a browser."""
    return randomness.token_urlsafe(32)


def digest(secret: str) -> str:
    """Returns what is stored of a state, or of a browser's secret."""
    return sha256(secret.encode()).hexdigest()
