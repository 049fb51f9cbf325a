"""The authorizer's answer to the gateway: allowed with an identity, denied with a code, or unauthorized.

`edge.auth.tokens` verifies the tokens.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from conversation.clock import Clock
from conversation.errors import TenantInactive
from conversation.identity import OPERATOR, SERVICE
from conversation.tenants.store import TenantRecord, TenantStore, UserBeingErased, check_active
from edge.auth.settings import ClaimNames
from edge.auth.tokens import Claims, TokenRejected, TokenVerifier, parse_bearer
from edge.http.closed_users import closed_users_context
from resilience.cache import Cache
from storage.errors import StorageUnavailable
from storage.keys import InvalidIdentity, TenantId, parse_tenant, parse_user

LOG = logging.getLogger("omniforge.edge")

_ROLE = re.compile(r"[A-Za-z0-9_.:/-]{1,64}")
_ZONE = re.compile(r"[A-Za-z0-9_+/-]{1,64}")


_METHODS = ("GET", "PUT", "POST", "PATCH", "DELETE")

STALE_TENANT_MAX_AGE_S = 600.0
"""How long the last known record of a tenant is used while storage is out of reach."""
MAX_CACHED_TENANTS = 1_024


class Unauthorized(Exception):
    """Makes the gateway answer 401, which it recognises by exactly this message."""

    def __init__(self) -> None:
        super().__init__("Unauthorized")


class Authorizer:
    """Decides whether a token, and the tenant it names, are let in."""

    def __init__(
        self,
        *,
        verifier: TokenVerifier,
        claims: ClaimNames,
        tenants: TenantStore,
        registered_only: bool,
        clock: Clock,
    ) -> None:
        self._verifier = verifier
        self._names = claims
        self._tenants = _LastKnown(tenants, clock)
        self._registered_only = registered_only

    def decide(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """The policy for an event of a TOKEN authorizer; its context holds the identity or a refusal's code.

        Raises:
            Unauthorized: the token is not valid.
        """
        try:
            claims = self._verifier.verify(parse_bearer(str(event.get("authorizationToken", ""))))
        except TokenRejected as refused:
            LOG.info("token refused", extra={"reason": str(refused)})
            raise Unauthorized from None
        effect, context = self._judge(claims)
        return _policy(str(event["methodArn"]), effect, context)

    def _judge(self, claims: Claims) -> tuple[str, dict[str, str]]:
        """Return whether a caller is let in, and their identity or why not.

        An operator whose own tenant is not active is let in, with the code in the identity: some operator has
        to register the first tenant. `_policy` keeps them to the routes on tenants.
        """
        try:
            tenant = parse_tenant(find_claim(claims, self._names.tenant))
        except InvalidIdentity:
            return "Deny", {"code": "tenant_invalid"}
        try:
            user = parse_user(find_claim(claims, self._names.user))
        except InvalidIdentity:
            return "Deny", {"code": "user_invalid"}
        roles = parse_roles(find_claim(claims, self._names.roles))
        identity = {
            "tenant": tenant,
            "user": user,
            "roles": " ".join(roles),
            "exp": str(claims["exp"]),
            "zoneinfo": _zone(claims.get("zoneinfo")),
        }
        try:
            record = check_active(
                self._tenants.record(tenant), registered_only=self._registered_only, user=user
            )
        except TenantInactive as refused:
            code = {"code": refused.code}
            return ("Allow", {**identity, **code}) if OPERATOR in roles else ("Deny", code)
        except UserBeingErased as refused:
            return "Deny", {"code": refused.code}
        # Passed on, so that a turn need not look it up before it stores anything.
        history = {"history": "off"} if record.policy.history == "off" else {}
        closed = closed_users_context(record.users_in_erasure) if SERVICE in roles else {}
        return "Allow", {**history, **closed, **identity}


class _LastKnown:
    """Reads tenant records; while storage is out of reach, returns those read last."""

    def __init__(self, tenants: TenantStore, clock: Clock) -> None:
        self._tenants = tenants
        self._known = Cache[TenantId, TenantRecord](
            MAX_CACHED_TENANTS, ttl_s=STALE_TENANT_MAX_AGE_S, now=clock.monotonic
        )

    def record(self, tenant: TenantId) -> TenantRecord:
        try:
            record = self._tenants.record(tenant)
        except StorageUnavailable:
            known = self._known.get(tenant)
            LOG.warning("tenant not looked up")
            if known is None:
                raise
            return known
        self._known.put(tenant, record)
        return record


def find_claim(claims: Claims, name: str) -> JsonValue:
    """The claim of that name, else the one at the path that its dots describe; None when there is neither."""
    if name in claims:
        return claims[name]
    value: JsonValue = dict(claims)
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def parse_roles(value: JsonValue) -> list[str]:
    """The role names in a list, or in a text separated by spaces; invalid names are left out."""
    names = value.split() if isinstance(value, str) else value
    if not isinstance(names, list):
        return []
    return [name for name in names if isinstance(name, str) and _ROLE.fullmatch(name)]


def _zone(value: JsonValue) -> str:
    return value if isinstance(value, str) and _ZONE.fullmatch(value) else ""


def _policy(method_arn: str, effect: str, context: dict[str, str]) -> dict[str, Any]:
    """One policy for all routes of the stage: the gateway reuses it for other requests with the token.

    A caller who is let in although there is a code gets the routes of operators alone. The methods are named
    one by one, because a wildcard in a policy matches slashes too.
    """
    stage = "/".join(method_arn.split("/")[:2])
    is_limited = effect == "Allow" and "code" in context
    resource = [f"{stage}/{method}/v1/tenants/*" for method in _METHODS] if is_limited else f"{stage}/*"
    statement = {"Action": "execute-api:Invoke", "Effect": effect, "Resource": resource}
    return {
        # A user id can be any text, so the context names the caller.
        "principalId": context.get("tenant", "unknown"),
        "policyDocument": {"Version": "2012-10-17", "Statement": [statement]},
        "context": context,
    }
