"""Access tokens for calling the servers of skills: stored ones, renewed before they expire.

One process renews at a time, because a refresh token may work only once; the others wait for its result. A
sign-in that its server refuses is marked, and from then on it counts as not connected.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from agent.connections.connection import Connection
from agent.connections.sealing import Sealer
from agent.connections.store import ConnectionStore
from conversation.clock import Clock
from storage import keys
from storage.keys import TenantId
from tools.errors import ToolError
from tools.outbound.client import OutboundClient

if TYPE_CHECKING:
    from tools.sign_in.grant import Grant

RENEW_BEFORE = timedelta(minutes=6)
"""Longer than a run takes: a token must not expire while it works."""
WAIT_S, LOOK_EVERY_S = 10.0, 0.25


class ConnectionAccess:
    """Gives runs the access tokens of connections; safe to use from several threads."""

    def __init__(
        self, *, store: ConnectionStore, sealer: Sealer, outbound: OutboundClient, clock: Clock
    ) -> None:
        self.store = store
        self._sealer = sealer
        self._outbound = outbound
        self._clock = clock

    def token(
        self, tenant: TenantId, user: str, skill_id: str, *, url: str, rejected: str | None = None
    ) -> str:
        """Returns an access token for the server at the URL, of the user's connection or everybody's.

        ``rejected`` is a token that the server has just refused: it is renewed, unless somebody did
        meanwhile.

        Raises:
            ToolError: sign_in_needed when nobody signed in at this address, or the sign-in is not accepted
            any
                more; unavailable, timeout, … when the token can't be renewed now.
        """
        until = self._clock.monotonic() + WAIT_S
        while True:
            connection = self.store.find(tenant, user, skill_id)
            if connection is None or not connection.works or connection.url != url:
                raise sign_in_needed()
            grant = self._opened(tenant, connection)
            if not self._is_to_renew(grant, rejected):
                return grant.access_token
            if self.store.claim_renewal(tenant, connection):
                return self._renewed(tenant, connection, grant).access_token
            if self._clock.monotonic() > until:
                raise ToolError("timeout", "Somebody else renews this sign-in and does not finish.")
            self._clock.sleep(LOOK_EVERY_S)

    def end(self, tenant: TenantId, connection: Connection) -> bool:
        """Revokes the tokens at their server, and returns whether it confirmed that."""
        from tools.sign_in.authorization import revoke

        try:
            return revoke(self._opened(tenant, connection), self._outbound)
        except ToolError:
            return False

    def end_all(self, tenant: TenantId, skill_id: str) -> None:
        """Revokes and removes every connection of a skill; idempotent."""
        for card in self.store.cards(tenant):
            if card.skill_id == skill_id:
                connection = self.store.find(tenant, card.user, skill_id)
                if connection is not None:
                    self.end(tenant, connection)
                self.store.remove(tenant, card)

    def _is_to_renew(self, grant: Grant, rejected: str | None) -> bool:
        if grant.access_token == rejected:
            return True
        is_old = grant.expires_at is not None and grant.expires_at <= self._clock.now() + RENEW_BEFORE
        # Without a refresh token it is used until its end.
        is_over = grant.expires_at is not None and grant.expires_at <= self._clock.now()
        return is_over or (is_old and grant.refresh_token is not None)

    def _renewed(self, tenant: TenantId, connection: Connection, grant: Grant) -> Grant:
        from tools.sign_in.authorization import SignInRefused, renew

        try:
            renewed = renew(grant, self._outbound, now=self._clock.now())
            place = keys.connection(tenant, connection.user, connection.skill_id)
            sealed = self._sealer.seal(tenant, place, renewed.model_dump_json())
        except SignInRefused:
            self.store.mark_refused(tenant, connection)
            raise sign_in_needed() from None
        except ToolError:
            self.store.release(tenant, connection)
            raise
        self.store.keep_renewed(tenant, connection, sealed)
        return renewed

    def _opened(self, tenant: TenantId, connection: Connection) -> Grant:
        from tools.sign_in.grant import Grant

        place = keys.connection(tenant, connection.user, connection.skill_id)
        text = self._sealer.open(tenant, place, connection.sealed)
        if text is None:
            raise sign_in_needed()
        return Grant.model_validate_json(text)


def sign_in_needed() -> ToolError:
    """Returns the error for a server that somebody has to sign in to first."""
    return ToolError("sign_in_needed", "Somebody has to sign in to this skill's server first.")
